// Pure functions of the matrix of links: moves between cells, and inherited links.

export interface Cell {
  readonly row: number;
  readonly column: number;
}

interface Size {
  readonly rows: number;
  readonly columns: number;
}

/** Returns the cell that a key moves to; undefined for other keys. */
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
  // At an edge, the key stays in its cell, and the page does not scroll.
  return isInside ? target : { row, column };
}

interface Reach {
  readonly label: string;
  readonly description: string;
}

/** Returns the inherited link of a task to the definition, if any. */
export function findReach(
  task: { readonly topicId: string | null },
  definition: { readonly application: unknown; readonly topics: readonly string[] },
): Reach | undefined {
  if (definition.application !== null) return { label: "All", description: "through the application" };
  if (task.topicId !== null && definition.topics.includes(task.topicId))
    return { label: "Topic", description: "through its topic" };
  return undefined;
}
