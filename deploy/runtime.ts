import type { Environment } from "./environment.ts";

/**
 * What Node and the C library are told so that a process of the mesh stays small; the image says the same (Dockerfile). New
 * objects get 4 MiB, not 16, before they are looked through, and threads that allocate share their reserves.
 */
export const runtimeEnvironment: Environment = { NODE_OPTIONS: "--max-semi-space-size=4", MALLOC_ARENA_MAX: "1" };
