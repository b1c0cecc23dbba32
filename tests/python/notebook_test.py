#!/usr/bin/env python3
"""Results in a notebook that runs without a browser: each shows itself as a table or as a figure."""
import sys

try:
    import nbclient
    import nbformat
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(0)

CELLS = {
    'import plimsoll\nplimsoll.audit("t5-11b")': ("text/html", "attention to width"),
    'plimsoll.advise("100M").answer': ("text/html", "depth"),
    'plimsoll.zoo(filter="family=gpt2")': ("text/html", "gpt2-xl"),
    'plimsoll.capacity("1M", max_depth=8)': ("application/vnd.vegalite.v5+json", "capacity"),
    'try:\n    plimsoll.audit("nobody")\nexcept plimsoll.NotFound as error:\n    print(error)': ("stdout", "no file, run or model"),
}


def shown(output):
    return {"stdout": output["text"]} if output["output_type"] == "stream" else output["data"]


def main():
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in CELLS])
    nbclient.NotebookClient(notebook, timeout=60, kernel_name="python3").execute()
    for cell, (kind, words) in zip(notebook.cells, CELLS.values()):
        content = shown(cell.outputs[0])
        assert kind in content and words in str(content[kind]), (cell.source, list(content))
    print(f"{len(CELLS)} cells show what they should")


if __name__ == "__main__":
    main()
