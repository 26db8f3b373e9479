// What the cells of the matrix know. Pure.

export interface Cell {
  readonly row: number;
  readonly column: number;
}

interface Size {
  readonly rows: number;
  readonly columns: number;
}

/** Where a key leads to from a cell; undefined where it leads nowhere. */
export function moved(key: string, { row, column }: Cell, { rows, columns }: Size, isFar = false): Cell | undefined {
  const target = ((): Cell | undefined => {
    switch (key) {
      case "ArrowUp":
        return { row: row - 1, column };
      case "ArrowDown":
        return { row: row + 1, column };
      case "ArrowLeft":
        return { row, column: column - 1 };
      case "ArrowRight":
        return { row, column: column + 1 };
      case "Home":
        return { row: isFar ? 0 : row, column: 0 };
      case "End":
        return { row: isFar ? rows - 1 : row, column: columns - 1 };
      default:
        return undefined;
    }
  })();
  if (target === undefined) return undefined;
  const isInside = target.row >= 0 && target.row < rows && target.column >= 0 && target.column < columns;
  // At an edge the key does nothing, and the page does not scroll either.
  return isInside ? target : { row, column };
}

interface Reach {
  readonly label: string;
  readonly description: string;
}

/** By what else than a link of the task the definition applies to it. */
export function reachOf(
  task: { readonly topicId: string | null },
  definition: { readonly application: unknown; readonly topics: readonly string[] },
): Reach | undefined {
  if (definition.application !== null) return { label: "All", description: "by the application" };
  if (task.topicId !== null && definition.topics.includes(task.topicId))
    return { label: "Topic", description: "by its topic" };
  return undefined;
}
