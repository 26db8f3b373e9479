// HTTP/2 frames and protobuf fields built by hand, for what libraries refuse to send.

export const frameTypes = {
  data: 0,
  headers: 1,
  reset: 3,
  settings: 4,
  push: 5,
  ping: 6,
  goaway: 7,
  window: 8,
  continuation: 9,
} as const;
export const endStream = 1;
export const endHeaders = 4;

/** `length` may differ from the payload's. */
export function frame(
  type: number,
  flags: number,
  stream: number,
  payload: Uint8Array,
  length = payload.length,
): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** First bytes of an HTTP/2 client. */
export const preface = Buffer.concat([
  Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
  frame(frameTypes.settings, 0, 0, Buffer.alloc(0)),
]);

/** A header as a literal that is not indexed. */
export function literal(name: string, value: string): Buffer {
  return Buffer.concat([Buffer.from([0]), hpackText(name), hpackText(value)]);
}

/** The same, added to the table that later headers refer to: the newest has index 62. */
export function indexedLiteral(name: string, value: string): Buffer {
  return Buffer.concat([Buffer.from([0x40]), hpackText(name), hpackText(value)]);
}

function hpackText(text: string): Buffer {
  const bytes = Buffer.from(text);
  if (bytes.length < 127) return Buffer.concat([Buffer.from([bytes.length]), bytes]);
  return Buffer.concat([Buffer.from([127]), varint(bytes.length - 127), bytes]);
}

/** HEADERS and as many CONTINUATIONs as the block needs. */
export function headerFrames(stream: number, block: Uint8Array): Buffer {
  const partBytes = 16_384;
  const count = Math.max(1, Math.ceil(block.length / partBytes));
  return Buffer.concat(
    Array.from({ length: count }, (_, at) =>
      frame(
        at === 0 ? frameTypes.headers : frameTypes.continuation,
        at === count - 1 ? endHeaders : 0,
        stream,
        block.subarray(at * partBytes, (at + 1) * partBytes),
      ),
    ),
  );
}

/** A length-delimited field: bytes, text or message. */
export function field(number: number, content: Uint8Array): Buffer {
  return Buffer.concat([varint(number * 8 + 2), varint(content.length), content]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return Buffer.from([...bytes, rest]);
}
