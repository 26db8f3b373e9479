/**
 * What Node and the C library are told so that a process of the mesh stays small; the Dockerfile says the same. The young
 * generation's semi-spaces are smaller than V8's default, and threads share one malloc arena.
 */
export const runtimeEnvironment: Readonly<Record<string, string>> = {
  NODE_OPTIONS: "--max-semi-space-size=4",
  MALLOC_ARENA_MAX: "1",
};
