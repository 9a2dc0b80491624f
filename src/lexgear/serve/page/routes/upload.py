"""A file whose text becomes the facts."""

from __future__ import annotations

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import RedirectResponse
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile

from lexgear.serve.page.context import CurrentContext
from lexgear.serve.page.form import SearchForm, cleaned
from lexgear.serve.page.same_origin import require_same_origin
from lexgear.serve.uploads import text_of_upload
from lexgear.serve.uploads.errors import FIELD, UploadError, UploadProblem

router = APIRouter(include_in_schema=False, dependencies=[Depends(require_same_origin)])


@router.post("/upload")
async def upload(request: Request, context: CurrentContext) -> Response:
    """The form with the text of the file in it; searching is another click, since a file may need cutting first."""
    async with request.form(max_files=1, max_fields=5) as form:  # which closes the file
        file = form.get(FIELD)
        if not isinstance(file, UploadFile) or not file.filename:
            raise UploadError(422, UploadProblem.NO_FILE)
        name, data = file.filename, await file.read()
    text = await run_in_threadpool(text_of_upload, name, data, context.service.settings)
    search_form = SearchForm(cleaned(text))
    if context.preferences.target == "text":
        return await context.answer("parts/textarea.html", search_form=search_form)
    return await context.answer("home.html", search_form=search_form, answer=None)


@router.get("/upload")
async def begin() -> Response:
    """Files are sent, not fetched."""
    return RedirectResponse("/", 303)
