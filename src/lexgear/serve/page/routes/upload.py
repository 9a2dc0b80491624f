"""Upload of a file whose text becomes the facts."""

from __future__ import annotations

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import RedirectResponse
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile

from lexgear.serve.page.context import CurrentContext
from lexgear.serve.page.form import SearchForm, clean_text
from lexgear.serve.page.same_origin import require_same_origin
from lexgear.serve.privacy.masked_route import MaskedRoute, exempt_from_masking
from lexgear.serve.uploads import text_of_upload
from lexgear.serve.uploads.errors import FIELD, UploadError, UploadProblem

router = APIRouter(include_in_schema=False, dependencies=[Depends(require_same_origin)], route_class=MaskedRoute)


@router.post("/upload")
@exempt_from_masking("returns only what the client has sent")
async def upload(request: Request, context: CurrentContext) -> Response:
    """Fill the form with the text of a file. The user searches with a second click, after checking the text."""
    async with request.form(max_files=1, max_fields=5) as form:  # closes the file
        file = form.get(FIELD)
        if not isinstance(file, UploadFile) or not file.filename:
            raise UploadError(422, UploadProblem.NO_FILE)
        name, data = file.filename, await file.read()
    text = await run_in_threadpool(text_of_upload, name, data, context.service.settings)
    search_form = SearchForm(clean_text(text))
    if context.preferences.target == "text":
        return await context.render("parts/textarea.html", search_form=search_form)
    return await context.render("home.html", search_form=search_form, answer=None)


@router.get("/upload")
@exempt_from_masking("redirect")
async def redirect_home() -> Response:
    """Redirect to the start page."""
    return RedirectResponse("/", 303)
