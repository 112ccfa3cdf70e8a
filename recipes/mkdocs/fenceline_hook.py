"""Draws the fenceline blocks of the pages. One that cannot be drawn, or that claims what is not true, fails the build."""

import base64
import html
import re
import subprocess
from pathlib import Path

from mkdocs.exceptions import PluginError
from mkdocs.utils import get_relative_url

BLOCK = re.compile(r"^```fenceline[ \t]*\n(.*?)^```[ \t]*$", re.MULTILINE | re.DOTALL)


def fenceline(*arguments, block=None, folder="."):
    run = subprocess.run(["fenceline", *arguments], input=block, cwd=folder, capture_output=True, encoding="utf-8")
    if run.returncode != 0:
        raise PluginError(run.stdout + run.stderr)
    return run.stdout.strip()


def on_pre_build(config):
    fenceline("check", config.docs_dir)


def on_page_markdown(markdown, page, config, files):
    folder = Path(page.file.abs_src_path).parent
    play = get_relative_url("play/index.html", page.url)

    def figure(found):
        picture = fenceline("render", "-", block=found[1], folder=folder)
        link = html.escape(play + fenceline("link", "-", block=found[1], folder=folder))
        parts = [re.search(f"<{part}>(.*?)</{part}>", picture, re.DOTALL) for part in ("title", "desc")]
        told = ". ".join(html.unescape(part[1]) for part in parts if part)
        data = base64.b64encode(picture.encode()).decode()
        # In a div, because Python-Markdown takes an element that it does not know for a part of a paragraph.
        return (
            f'<div style="margin: 1.5em 0"><fence-line src="{link}"><figure style="margin: 0">'
            f'<img src="data:image/svg+xml;base64,{data}" alt="{html.escape(told)}">'
            f'<figcaption><a href="{link}">Open in the playground</a></figcaption></figure></fence-line></div>'
        )

    return BLOCK.sub(figure, markdown)
