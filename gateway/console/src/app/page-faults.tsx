// Pages that are not there, and pages that failed.

import { type ErrorComponentProps, useRouter } from "@tanstack/react-router";
import { ButtonLink } from "../ui/link.tsx";
import { Page } from "../ui/page.tsx";
import { EmptyState, ErrorState } from "../ui/states.tsx";

export function NotFound() {
  return (
    <main>
      <Page title="Not found" requests={[]}>
        <EmptyState title="There is no such page" action={<ButtonLink to="/">Go to the overview</ButtonLink>}>
          The address may be misspelt, or the page is of another version.
        </EmptyState>
      </Page>
    </main>
  );
}

export function PageError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const retry = () => {
    reset();
    void router.invalidate();
  };
  return <ErrorState error={error} onRetry={retry} />;
}
