// The text of a file: positions, edits, and the lines that edits change.

/** A text with positions as in reports: lines and columns count from 1, and columns count code points.
 *
 * A byte order mark is not part of it.
 */
export class Text {
  constructor(text) {
    this.text = text.replace(/^\ufeff/, "");
    this.starts = [0];
    for (const end of this.text.matchAll(/\r\n|\n|\r/g)) {
      this.starts.push(end.index + end[0].length);
    }
  }

  /** The text of a line without its end, or an empty string. */
  line(number) {
    const start = this.starts[number - 1];
    return start === undefined ? "" : this.text.slice(start, this.starts[number]).replace(/\r?\n$|\r$/, "");
  }

  get lines() {
    return this.starts.length;
  }

  offset({ line, column }) {
    const start = this.starts[line - 1] ?? this.text.length;
    return start + units(this.text.slice(start, this.starts[line]), column - 1);
  }
}

/** Returns the number of UTF-16 units of the first code points of a line. */
export function units(line, points) {
  let at = 0;
  for (let left = points; left > 0 && at < line.length; left--) {
    at += line.codePointAt(at) > 0xffff ? 2 : 1;
  }
  return at;
}

/** Returns edits as offsets, in order. */
export function located(text, edits) {
  return inOrder(
    edits.map((edit) => ({ start: text.offset(edit.start), end: text.offset(edit.end), text: edit.text }))
  );
}

/** Returns the text after edits that do not overlap. */
export function edited(text, edits) {
  let at = 0;
  let result = "";
  for (const { start, end, text: replacement } of edits) {
    result += text.slice(at, start) + replacement;
    at = end;
  }
  return result + text.slice(at);
}

/** Whether edits do not conflict with accepted ones, and with one another. Equal edits are one. */
export function areCompatible(accepted, added) {
  return added.every((edit, at) =>
    [...accepted, ...added.slice(0, at)].every((other) => !areInConflict(edit, other))
  );
}

function areInConflict(one, other) {
  if (isEqual(one, other)) return false;
  const [first, second] = inOrder([one, other]);
  return (first.start === second.start && first.end === second.end) || second.start < first.end;
}

function isEqual(one, other) {
  return one.start === other.start && one.end === other.end && one.text === other.text;
}

function inOrder(edits) {
  return edits.sort((one, other) => one.start - other.start || one.end - other.end);
}

/** Returns the edits of several fixes without duplicates, in order. */
export function merged(accepted, added) {
  const more = added.filter((edit) => !accepted.some((other) => isEqual(edit, other)));
  return inOrder([...accepted, ...more]);
}

/** Returns the groups of lines that edits change: `{first, removed, added}`, with lists of lines. */
export function changedLines(text, edits) {
  const groups = [];
  for (const edit of edits) {
    const first = lineOf(text, edit.start);
    const last = lineOf(text, edit.end);
    const group = groups.at(-1);
    if (group !== undefined && first <= group.last) {
      group.last = Math.max(group.last, last);
      group.edits.push(edit);
    } else {
      groups.push({ first, last, edits: [edit] });
    }
  }
  return groups.map(({ first, last, edits: own }) => {
    const start = text.starts[first - 1];
    const before = text.text.slice(start, text.starts[last]);
    const shifted = own.map((each) => ({ ...each, start: each.start - start, end: each.end - start }));
    return withoutEqualEnds(first, split(before), split(edited(before, shifted)));
  });
}

function lineOf(text, offset) {
  let low = 0;
  let high = text.starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (text.starts[middle] <= offset) low = middle;
    else high = middle - 1;
  }
  return low + 1;
}

function split(text) {
  const lines = text.split(/\r\n|\n|\r/);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

function withoutEqualEnds(first, removed, added) {
  let same = 0;
  while (same < removed.length && same < added.length && removed[same] === added[same]) same++;
  let end = 0;
  const most = Math.min(removed.length, added.length) - same;
  while (end < most && removed.at(-1 - end) === added.at(-1 - end)) end++;
  return {
    first: first + same,
    removed: removed.slice(same, removed.length - end),
    added: added.slice(same, added.length - end),
  };
}
