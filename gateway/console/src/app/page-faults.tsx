// Pages for unknown URLs and for errors.

import { type ErrorComponentProps, useRouter } from "@tanstack/react-router";
import { ButtonLink } from "../ui/link.tsx";
import { Page } from "../ui/page.tsx";
import { EmptyState, ErrorState } from "../ui/states.tsx";

export function NotFound() {
  return (
    <main>
      <Page title="Page not found" requests={[]}>
        <EmptyState title="Nothing at this address" action={<ButtonLink to="/">Go to the overview</ButtonLink>}>
          Check the address, or start from the overview.
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
