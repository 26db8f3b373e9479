import { credentials } from "./noise.ts";
import { requestHead, socketNoise } from "./sockets.ts";

/** Sends bodies byte by byte, never to their end. */
export const slowBodies = socketNoise({
  sockets: 150,
  text: (target) =>
    `${requestHead("POST /v0/topics", { ...credentials(target), "content-length": 10_000 })}{"title": "`,
  more: "a",
  isReading: true,
});
