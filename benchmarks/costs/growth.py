"""The growth of the work of resolving the API."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt

from costs.measure import Groups, counts, times

from extlint.package.files import Package

_INERT = (
    "!function(){{function a{0}(e,t,n){{for(var r=[],o=0;o<e.length;o++)r.push(t(e[o],n));return r}}"
    'var i{0}={{name:"part{0}",list:[1,2,3],of:function(e){{return a{0}(e,this.name,{0})}}}};'
    "i{0}.of([1,2,3]).map((e=>e+1)).filter((e=>e>{0}))}}();\n"
)
_USE = (
    "async function use{0}(list) {{ const found = await chrome.management.getSelf(); const name = found.name;"
    " api.management.uninstallSelf({{ dialogMessage: name }}); return list.map((each) => each + {0}); }}\n"
)
_MANIFEST = b'{"manifest_version": 3, "name": "a", "version": "1", "background": {"service_worker": "a.js"}}'


def measure_inert_code(factors: Sequence[int]) -> Mapping[str, Mapping[str, float]]:
    """Returns counts and seconds for a script that uses the API, with inert code of `factors` times its
    size.
    """
    using = "".join(("const api = globalThis.browser ?? chrome;\n", *map(_USE.format, range(100))))
    groups: Groups = {
        f"{factor} x inert code": [_package(using + _inert(len(using) * factor))] for factor in factors
    }
    spent = times(groups, 3)
    return {name: {**each, **spent[name]} for name, each in counts(groups).items()}


def _inert(size: int) -> str:
    return "".join(_INERT.format(each) for each in range(size // len(_INERT)))


def _package(script: str) -> Package:
    return Package("inert", {"manifest.json": lambda: _MANIFEST, "a.js": script.encode})


def rank_correlation(one: Sequence[float], other: Sequence[float]) -> float:
    """Returns Spearman's rank correlation: 1 if both always grow together, 0 if they are unrelated."""
    ranks = [_ranks(one), _ranks(other)]
    middle = (len(one) - 1) / 2
    top = sum((a - middle) * (b - middle) for a, b in zip(*ranks, strict=True))
    bottom = sqrt(sum((a - middle) ** 2 for a in ranks[0]) * sum((b - middle) ** 2 for b in ranks[1]))
    return top / bottom if bottom else 0.0


def _ranks(values: Sequence[float]) -> list[float]:
    places = sorted(values)
    return [places.index(each) + (places.count(each) - 1) / 2 for each in values]


def partial_correlation(work_to_cause: float, work_to_other: float, cause_to_other: float) -> float:
    """Returns the partial correlation of work with another quantity, controlling for its cause."""
    bottom = sqrt((1 - work_to_cause**2) * (1 - cause_to_other**2))
    return (work_to_other - work_to_cause * cause_to_other) / bottom if bottom else 0.0
