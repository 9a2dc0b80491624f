"""Endpoints of the page, one module per address."""

from lexgear.serve.page.routes import cases, compare, export, home, law, report, search, static, upload

ROUTERS = tuple(one.router for one in (home, search, export, compare, cases, law, upload, report, static))
