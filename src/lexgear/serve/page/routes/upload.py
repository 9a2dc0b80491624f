"""A file whose text becomes the facts."""

from __future__ import annotations

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import RedirectResponse
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile

from lexgear.serve.api.errors import ApiError
from lexgear.serve.page.context import CurrentContext
from lexgear.serve.page.form import SearchForm, cleaned
from lexgear.serve.page.same_origin import require_same_origin
from lexgear.serve.uploads import text_of_upload
from lexgear.serve.uploads.errors import UploadError

router = APIRouter(include_in_schema=False, dependencies=[Depends(require_same_origin)])
CHOSEN = "file"


@router.post("/upload")
async def upload(request: Request, context: CurrentContext) -> Response:
    """The form with the text of the file in it; searching is another click, since a file may need cutting first."""
    async with request.form(max_files=1, max_fields=5) as form:  # which closes the file
        file = form.get(CHOSEN)
        if not isinstance(file, UploadFile) or not file.filename:
            raise ApiError(422, where=[("upload", context.t("upload.none"))])
        name, data = file.filename, await file.read()
    try:
        text = await run_in_threadpool(text_of_upload, name, data, context.service.settings)
    except UploadError as refused:
        told = refused.message_in(context.preferences.language)
        raise ApiError(refused.status_code, where=[("upload", told)], headers=refused.headers) from None
    search_form = SearchForm(cleaned(text))
    if context.preferences.target == "text":
        return await context.answer("parts/textarea.html", search_form=search_form)
    return await context.answer("home.html", search_form=search_form, answer=None)


@router.get("/upload")
async def begin() -> Response:
    """Files are sent, not fetched."""
    return RedirectResponse("/", 303)
