"""The Sphinx configuration of the site. Pages load nothing from the network, not even fonts or scripts."""

from extlint import __version__

project = "extlint"
author = "the authors of extlint"
version = release = __version__
extensions = ["myst_parser"]
exclude_patterns = ["extra"]
html_extra_path = ["extra"]
html_theme = "furo"
html_title = "extlint"
html_baseurl = "https://extlint.github.io/extlint/"
html_static_path = ["static"]
html_css_files = ["extlint.css"]
html_copy_source = False
html_show_copyright = False
html_theme_options = {"source_repository": "", "top_of_page_buttons": []}
smartquotes = False  # "--fix" is not a dash
pygments_style = "default"
pygments_dark_style = "github-dark"
myst_heading_anchors = 3
myst_enable_extensions = ["colon_fence"]
suppress_warnings = ["misc.highlighting_failure"]  # examples of mistakes are not valid code
