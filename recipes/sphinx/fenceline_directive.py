"""Draws fenceline blocks. One that cannot be drawn, or that claims what is not true, fails the build."""

import base64
import html
import re
import subprocess
from pathlib import Path

from docutils import nodes
from sphinx.errors import SphinxError
from sphinx.util.docutils import SphinxDirective


def fenceline(*arguments, block=None, folder="."):
    run = subprocess.run(["fenceline", *arguments], input=block, cwd=folder, capture_output=True, encoding="utf-8")
    if run.returncode != 0:
        raise SphinxError(run.stdout + run.stderr)
    return run.stdout.strip()


class Fenceline(SphinxDirective):
    has_content = True

    def run(self):
        block = "\n".join(self.content)
        folder = Path(self.env.doc2path(self.env.docname)).parent
        picture = fenceline("render", "-", block=block, folder=folder)
        up = "../" * self.env.docname.count("/")
        link = html.escape(f"{up}_static/play/index.html" + fenceline("link", "-", block=block, folder=folder))
        parts = [re.search(f"<{part}>(.*?)</{part}>", picture, re.DOTALL) for part in ("title", "desc")]
        told = ". ".join(html.unescape(part[1]) for part in parts if part)
        data = base64.b64encode(picture.encode()).decode()
        figure = (
            f'<div style="margin: 1.5em 0"><fence-line src="{link}"><figure style="margin: 0">'
            f'<img src="data:image/svg+xml;base64,{data}" alt="{html.escape(told)}">'
            f'<figcaption><a href="{link}">Open in the playground</a></figcaption></figure></fence-line></div>'
        )
        # What is no HTML has the words.
        words = nodes.paragraph(text=told)
        return [nodes.raw("", figure, format="html"), Only("", words)]


class Only(nodes.General, nodes.Element):
    """What HTML does not show."""


def skip(translator, node):
    raise nodes.SkipNode


def setup(app):
    app.add_directive("fenceline", Fenceline)
    shown = (lambda translator, node: None, lambda translator, node: None)
    app.add_node(Only, html=(skip, None), latex=shown, text=shown, man=shown, texinfo=shown)
    app.connect("builder-inited", lambda app: fenceline("check", app.srcdir))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
