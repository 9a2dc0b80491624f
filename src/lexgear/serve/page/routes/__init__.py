"""One address of the page a file."""

from lexgear.serve.page.routes import home, search, static

ROUTERS = (home.router, search.router, static.router)
