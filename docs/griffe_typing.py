"""What the reference shows of modules that say one thing to type checkers and do another."""

import ast
from typing import Any

import griffe


class TypeCheckingBranch(griffe.Extension):
    """Shows what stands under `if TYPE_CHECKING`, and not what stands in its place at run time."""

    def on_module_node(self, *, node: Any, **_: Any) -> None:
        for each in ast.walk(node):
            match each:
                case ast.If(test=ast.Name(id="TYPE_CHECKING")):
                    each.orelse = []
                case ast.If(test=ast.UnaryOp(op=ast.Not(), operand=ast.Name(id="TYPE_CHECKING"))):
                    each.body = []
                case _:
                    pass
