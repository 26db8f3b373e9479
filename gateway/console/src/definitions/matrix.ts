// Pure functions for the matrix of links: moves between cells, and inherited links.

export interface Cell {
  readonly row: number;
  readonly column: number;
}

interface Size {
  readonly rows: number;
  readonly columns: number;
}

/** Returns the cell to which a key moves the focus; undefined if the key does not move it. */
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
  // At an edge of the matrix, return the current cell, so that the key does not scroll the page instead.
  return isInside ? target : { row, column };
}

interface Reach {
  readonly label: string;
  readonly description: string;
}

/** Returns the link to the definition that the task inherits from its topic or the application, if any. */
export function findReach(
  task: { readonly topicId: string | null },
  definition: { readonly application: unknown; readonly topics: readonly string[] },
): Reach | undefined {
  if (definition.application !== null) return { label: "All", description: "through the application" };
  if (task.topicId !== null && definition.topics.includes(task.topicId))
    return { label: "Topic", description: "through its topic" };
  return undefined;
}
