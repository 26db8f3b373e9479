import { Text } from "@mantine/core";
import type { Store } from "../../url/list-search.ts";
import { AnchorLink } from "../link.tsx";
import { Time } from "../time.tsx";

interface ArchiveLineProps {
  /** Undefined: the list shows PostgreSQL's rows. */
  readonly store: Store | undefined;
  /** Older rows are in the archive. */
  readonly archivedBefore: string | undefined;
}

/** Leads to the archive of a list and back; nothing where no row is archived. */
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

/** The same list of the other store, from its first page. */
function StoreLink({ store, children }: { readonly store: Store | undefined; readonly children: string }) {
  return (
    <AnchorLink to="." search={(before: object) => ({ ...before, store, skip: undefined })} resetScroll={false} inherit>
      {children}
    </AnchorLink>
  );
}
