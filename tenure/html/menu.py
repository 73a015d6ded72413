"""The place of a page in the menu."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from tenure.plan.pages import MenuItem, Page


class MenuPlace(NamedTuple):
    """The path of the page if it is in the menu, else ""; and the paths in the menu that are above the page, without "/"."""

    current: str
    above: tuple[str, ...]


def make_menu_filters(menu: Sequence[MenuItem]) -> dict[str, Callable[..., Any]]:
    """The filters `place_in_menu` and `crumbs` of templates."""
    items = [item for item in menu if item.path] + [inner for item in menu for inner in item.items]

    def find_items_above(page: Page) -> list[MenuItem]:
        path = page.path
        return [item for item in items if item.path not in ("/", path) and path.startswith(item.path)]

    def find_place(page: Page) -> MenuPlace:
        above = tuple(item.path for item in find_items_above(page))
        return MenuPlace(page.path if any(item.path == page.path for item in items) else "", above)

    return {"place_in_menu": find_place, "crumbs": lambda page: find_items_above(page) if page.entry else []}
