// Reads and writes archives. Entries that do not change are copied as they are, without unpacking them.

const END = 0x06054b50;
const RECORD = 0x02014b50;
const HEADER = 0x04034b50;
const UTF_8 = 0x800;
const HAS_DESCRIPTOR = 0x8;
const MAX_ENTRIES = 65_534;
const MAX_BYTES = 0xffff_fffe;
const IN_1980 = 0x21;

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** Returns the checksum of bytes, as archives have it. */
export function checksum(bytes) {
  let value = 0xffffffff;
  for (const byte of bytes) value = TABLE[(value ^ byte) & 0xff] ^ (value >>> 8);
  return (value ^ 0xffffffff) >>> 0;
}

/** An error whose text is a sentence for the user. */
export class ZipError extends Error {}

/** Returns the entries of an archive, in the order of its directory. Data before it is skipped, as in a .crx. */
export async function readZip(blob) {
  const tail = Math.max(0, blob.size - 65_557);
  const last = await view(blob, tail, blob.size);
  let at = last.byteLength - 22;
  while (at >= 0 && last.getUint32(at, true) !== END) at--;
  if (at < 0) throw new ZipError("The package is not a complete archive.");
  const count = last.getUint16(at + 10, true);
  const size = last.getUint32(at + 12, true);
  const moved = tail + at - size - last.getUint32(at + 16, true);
  if (count > MAX_ENTRIES || size > MAX_BYTES || moved < 0) {
    throw new ZipError("The archive is too large to change here.");
  }
  const directory = await view(blob, tail + at - size, tail + at);
  return [...entriesIn(directory, count, moved, blob)];
}

function* entriesIn(directory, count, moved, blob) {
  let at = 0;
  for (let number = 0; number < count; number++) {
    if (at + 46 > directory.byteLength || directory.getUint32(at, true) !== RECORD) {
      throw new ZipError("The directory of the archive is damaged.");
    }
    const [nameLength, extra, comment] = [28, 30, 32].map((field) => directory.getUint16(at + field, true));
    const name = new Uint8Array(directory.buffer, at + 46, nameLength).slice();
    const [crc, packed, size] = [16, 20, 24].map((field) => directory.getUint32(at + field, true));
    yield {
      blob,
      raw: name,
      name: new TextDecoder().decode(name),
      madeBy: directory.getUint16(at + 4, true),
      flags: directory.getUint16(at + 8, true),
      method: directory.getUint16(at + 10, true),
      time: directory.getUint32(at + 12, true),
      crc,
      packed,
      size,
      attributes: directory.getUint32(at + 38, true),
      offset: directory.getUint32(at + 42, true) + moved,
    };
    at += 46 + nameLength + extra + comment;
  }
}

async function packedData(entry) {
  const header = await view(entry.blob, entry.offset, entry.offset + 30);
  if (header.byteLength < 30 || header.getUint32(0, true) !== HEADER) {
    throw new ZipError(`The archive is damaged at ${entry.name}.`);
  }
  const start = entry.offset + 30 + header.getUint16(26, true) + header.getUint16(28, true);
  return entry.blob.slice(start, start + entry.packed);
}

/** Returns the content of an entry, of at most `most` bytes. */
export async function unpacked(entry, most) {
  const data = await packedData(entry);
  if (entry.flags & 1 || ![0, 8].includes(entry.method) || entry.size > most) {
    throw new ZipError(`${entry.name} cannot be unpacked here.`);
  }
  if (entry.method === 0) return new Uint8Array(await data.arrayBuffer());
  const parts = [];
  let length = 0;
  const reader = data.stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    length += part.value.length;
    if (length > most) {
      await reader.cancel();
      throw new ZipError(`${entry.name} cannot be unpacked here.`);
    }
    parts.push(part.value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** Returns an entry with new content, a `Uint8Array`. It replaces `old`, if any. */
export function storedEntry(name, content, old = null) {
  return {
    raw: old?.raw ?? new TextEncoder().encode(name),
    name,
    madeBy: old?.madeBy ?? 20,
    flags: old === null ? UTF_8 : old.flags & UTF_8,
    method: 0,
    time: old?.time ?? IN_1980 << 16,
    crc: checksum(content),
    packed: content.length,
    size: content.length,
    attributes: old?.attributes ?? 0,
    content,
  };
}

/** Returns an archive of entries: those of `readZip`, and those of `storedEntry`. */
export async function writeZip(entries) {
  if (entries.length > MAX_ENTRIES) throw new ZipError("There are too many files for one archive.");
  const parts = [];
  const directory = [];
  let at = 0;
  for (const entry of entries) {
    const data = entry.content ?? (await packedData(entry));
    const header = fields(entry, HEADER, at);
    directory.push(fields(entry, RECORD, at));
    parts.push(header, data);
    at += header.length + entry.packed;
    if (at > MAX_BYTES) throw new ZipError("The files are too large for one archive.");
  }
  const size = directory.reduce((sum, each) => sum + each.length, 0);
  const end = new DataView(new ArrayBuffer(22));
  end.setUint32(0, END, true);
  end.setUint16(8, entries.length, true);
  end.setUint16(10, entries.length, true);
  end.setUint32(12, size, true);
  end.setUint32(16, at, true);
  return new Blob([...parts, ...directory, end.buffer], { type: "application/zip" });
}

function fields(entry, mark, offset) {
  const inDirectory = mark === RECORD;
  const start = inDirectory ? 46 : 30;
  const bytes = new Uint8Array(start + entry.raw.length);
  const write = new DataView(bytes.buffer);
  const shift = inDirectory ? 2 : 0;
  write.setUint32(0, mark, true);
  if (inDirectory) write.setUint16(4, entry.madeBy, true);
  write.setUint16(4 + shift, 20, true);
  write.setUint16(6 + shift, entry.flags & ~HAS_DESCRIPTOR, true);
  write.setUint16(8 + shift, entry.method, true);
  write.setUint32(10 + shift, entry.time, true);
  write.setUint32(14 + shift, entry.crc, true);
  write.setUint32(18 + shift, entry.packed, true);
  write.setUint32(22 + shift, entry.size, true);
  write.setUint16(26 + shift, entry.raw.length, true);
  if (inDirectory) {
    write.setUint32(38, entry.attributes, true);
    write.setUint32(42, offset, true);
  }
  bytes.set(entry.raw, start);
  return bytes;
}

async function view(blob, start, end) {
  return new DataView(await blob.slice(start, end).arrayBuffer());
}
