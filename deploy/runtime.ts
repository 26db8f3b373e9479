/**
 * Options for Node and the C library that save memory in a mesh process, as in the Dockerfile: smaller semi-spaces of
 * the young generation than V8's default, and one malloc arena for all threads.
 */
export const runtimeEnvironment: Readonly<Record<string, string>> = {
  NODE_OPTIONS: "--max-semi-space-size=4",
  MALLOC_ARENA_MAX: "1",
};
