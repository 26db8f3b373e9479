export { startIndexer } from "./indexer.ts";
export { type Arrival, queueSearch } from "./queue.ts";
export { wordsToFind } from "./words.ts";
