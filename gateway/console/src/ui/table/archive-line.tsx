import { Text } from "@mantine/core";
import type { Store } from "../../url/list-search.ts";
import { AnchorLink } from "../link.tsx";
import { Time } from "../time.tsx";

interface ArchiveLineProps {
  /** Store of the displayed rows. Undefined for PostgreSQL. */
  readonly store: Store | undefined;
  /** Rows from before this time are in the archive. */
  readonly archivedBefore: string | undefined;
}

/** Shows a link to a list's archived rows, or back to current rows. Renders nothing if no row is archived. */
export function ArchiveLine({ store, archivedBefore }: ArchiveLineProps) {
  if (store === undefined && archivedBefore === undefined) return null;
  return (
    <Text size="sm" c="dimmed" role="status">
      {store === undefined ? (
        <>
          Rows from before <Time value={archivedBefore} /> are in the archive.{" "}
          <StoreLink store="archive">Show them</StoreLink>
        </>
      ) : (
        <>
          Showing the archive. <StoreLink store={undefined}>Back to current rows</StoreLink>
        </>
      )}
    </Text>
  );
}

/** Link to the first page of the same list in another store. */
function StoreLink({ store, children }: { readonly store: Store | undefined; readonly children: string }) {
  return (
    <AnchorLink to="." search={(before: object) => ({ ...before, store, skip: undefined })} resetScroll={false} inherit>
      {children}
    </AnchorLink>
  );
}
