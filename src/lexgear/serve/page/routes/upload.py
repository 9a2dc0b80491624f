"""A file whose text becomes the facts."""

from __future__ import annotations

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import RedirectResponse
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile

from lexgear.serve.api.errors import Fault
from lexgear.serve.page.context import AtDesk
from lexgear.serve.page.form import Question, cleaned
from lexgear.serve.page.same_origin import only_from_here
from lexgear.serve.uploads import text_of_upload
from lexgear.serve.uploads.refusals import Refused

router = APIRouter(include_in_schema=False, dependencies=[Depends(only_from_here)])
CHOSEN = "file"


@router.post("/upload")
async def upload(request: Request, desk: AtDesk) -> Response:
    """The form with the text of the file in it; searching is another click, since a file may need cutting first."""
    async with request.form(max_files=1, max_fields=5) as form:  # which closes the file
        file = form.get(CHOSEN)
        if not isinstance(file, UploadFile) or not file.filename:
            raise Fault(422, where=[("upload", desk.t("upload.none"))])
        name, data = file.filename, await file.read()
    try:
        text = await run_in_threadpool(text_of_upload, name, data, desk.service.settings)
    except Refused as refused:
        told = refused.told(desk.visitor.language)
        raise Fault(refused.status_code, where=[("upload", told)], headers=refused.headers) from None
    question = Question(cleaned(text))
    if desk.visitor.target == "text":
        return await desk.answer("parts/textarea.html", question=question)
    return await desk.answer("home.html", question=question, answer=None)


@router.get("/upload")
async def begin() -> Response:
    """Files are sent, not fetched."""
    return RedirectResponse("/", 303)
