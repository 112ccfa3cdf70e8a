import os
import sys

sys.path.insert(0, os.path.abspath("."))

project = "Leases"
exclude_patterns = ["_build", "_static"]
html_theme = "alabaster"
extensions = ["myst_parser", "fenceline_directive"]
# A plain ```fenceline block is the directive, so that `fenceline check` reads the same text.
myst_fence_as_directive = ["fenceline"]
# A living figure needs the built page (the contents of dist/) at _static/play/. Without it the pictures and links remain.
html_static_path = ["_static"] if os.path.isdir("_static") else []
html_js_files = [("play/fence-line.js", {"type": "module"})] if os.path.isdir("_static/play") else []
