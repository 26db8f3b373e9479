import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useChange } from "../api/query.ts";
import { ButtonLink } from "../ui/link.tsx";
import { Page } from "../ui/page.tsx";
import { newSection, StyleGuideForm } from "./style-guide-form.tsx";
import { createStyleGuide, refreshedByStyleGuides, type Section } from "./style-guide-requests.ts";
import { styleGuidesParent } from "./style-guides-parent.ts";

export default function NewStyleGuidePage() {
  const navigate = useNavigate();
  const [sections, setSections] = useState<readonly Section[]>([newSection]);
  const { mutate, isPending, error } = useChange(createStyleGuide, {
    refreshes: refreshedByStyleGuides,
    onDone: ({ data }) =>
      void navigate({ to: "/style-guides/$styleGuideId", params: { styleGuideId: data.id }, replace: true }),
  });
  return (
    <Page title="New style guide" parent={styleGuidesParent} requests={[]}>
      <StyleGuideForm
        sections={sections}
        onSections={setSections}
        operation="POST /v0/style-guides"
        submitLabel="Create"
        cancel={
          <ButtonLink to="/style-guides" variant="default">
            Cancel
          </ButtonLink>
        }
        onSave={() => mutate({ content: [...sections] })}
        isSaving={isPending}
        error={error}
      />
    </Page>
  );
}
