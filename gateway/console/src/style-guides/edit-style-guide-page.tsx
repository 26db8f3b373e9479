import { getRouteApi } from "@tanstack/react-router";
import { Detail } from "../ui/detail.tsx";
import { Page } from "../ui/page.tsx";
import { StyleGuideForm } from "./style-guide-form.tsx";
import { getStyleGuide } from "./style-guide-requests.ts";
import { styleGuidesParent } from "./style-guides-parent.ts";

const route = getRouteApi("/signed-in/style-guides/$styleGuideId/edit");

export default function EditStyleGuidePage() {
  const { styleGuideId } = route.useParams();
  const request = getStyleGuide(styleGuideId);
  return (
    <Detail request={request} title="Edit style guide" parent={styleGuidesParent}>
      {({ data }, loaded) => (
        <Page title="Edit style guide" parent={styleGuidesParent} requests={[request]}>
          <StyleGuideForm key={data.id} guide={loaded} />
        </Page>
      )}
    </Detail>
  );
}
