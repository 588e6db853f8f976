"""The known properties of objects by their constructor."""

from __future__ import annotations

from extlint.analysis.facts.values import InstanceValue

PROXY = "Proxy"

ERRORS = frozenset(
    {
        "AggregateError",
        "Error",
        "EvalError",
        "RangeError",
        "ReferenceError",
        "SyntaxError",
        "TypeError",
        "URIError",
    }
)

TYPED_ARRAYS = frozenset(
    {
        "BigInt64Array",
        "BigUint64Array",
        "Float32Array",
        "Float64Array",
        "Int16Array",
        "Int32Array",
        "Int8Array",
        "Uint16Array",
        "Uint32Array",
        "Uint8Array",
        "Uint8ClampedArray",
    }
)

BINARY = TYPED_ARRAYS | {"ArrayBuffer", "DataView"}

WITHOUT_KEYS = (
    ERRORS
    | {"ArrayBuffer", "DataView", "Boolean", "Date", "Map", "Number", "Promise", "RegExp", "Set"}
    | {"WeakMap", "WeakRef", "WeakSet"}
    | {"AbortController", "Blob", "File", "FormData", "Headers", "Request", "Response", "URL"}
    | {"Element", "URLSearchParams"}
)
"""Classes whose objects have no own enumerable properties after their creation."""

KNOWN_CLASSES = WITHOUT_KEYS | TYPED_ARRAYS | {"NodeList", "String"}
"""Classes whose objects are neither plain objects, arrays nor functions."""


def bases_of(instance: InstanceValue) -> frozenset[str]:
    """Returns the possible base types of an object of this class; never that of a primitive."""
    name = instance.class_name if instance.builtin else ""
    if name == "Array":
        return frozenset({"array"})
    if name == "Function":
        return frozenset({"function"})
    if name == PROXY:
        return frozenset({"object", "array", "function"})
    if name in BINARY:
        return frozenset({"binary"})
    if name in KNOWN_CLASSES:
        return frozenset({"object"})
    return frozenset({"object", "array", "function", "binary"})


def is_known_class(instance: InstanceValue) -> bool:
    """Whether the class is certainly not that of plain objects."""
    return instance.builtin and instance.class_name in KNOWN_CLASSES


def is_proxy(instance: InstanceValue) -> bool:
    """Whether an object is a Proxy, whatever its target."""
    return instance.builtin and instance.class_name == PROXY


def has_no_own_keys(instance: InstanceValue) -> bool:
    """Whether an object has no own enumerable properties."""
    return instance.builtin and instance.class_name in WITHOUT_KEYS


def is_instance(instance: InstanceValue, class_name: str, *, inherited: bool) -> bool | None:
    """Whether an object is an instance of a class, by name, or None if unknown.

    With `inherited` the class may be any on the prototype chain (Chromium); without, it must be
    the object's own (Firefox).
    """
    if not instance.builtin or instance.class_name == PROXY:
        return None
    own = instance.class_name
    if own == class_name:
        return True
    if own not in KNOWN_CLASSES:
        return None
    if class_name == "Object":
        return inherited
    if own in ERRORS and class_name in ERRORS:
        return None
    if own == "Element" and class_name.endswith("Element"):
        return None  # it stands for elements of any class
    if own in TYPED_ARRAYS and class_name == "TypedArray":
        return None
    if own == "File" and class_name == "Blob":
        return inherited
    return False
