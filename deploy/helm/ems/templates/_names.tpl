{{- /* Names, labels and the image. */ -}}

{{- define "ems.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{- /* At most 40 characters, so that names with suffixes fit into the 63 characters of a label. */ -}}
{{- define "ems.fullname" -}}
{{- $name := include "ems.name" . -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 40 | trimSuffix "-" -}}
{{- else if contains $name .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "ems.labels" -}}
{{- toYaml (mustMergeOverwrite (deepCopy .Values.commonLabels) (include "ems.ownLabels" . | fromYaml)) -}}
{{- end -}}

{{- define "ems.ownLabels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
app.kubernetes.io/part-of: ems
{{ include "ems.instance" . }}
{{- end -}}

{{- /* Labels that select every pod of the release. */ -}}
{{- define "ems.instance" -}}
app.kubernetes.io/name: {{ include "ems.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- /* Labels that select the pods of one component: (list root name). */ -}}
{{- define "ems.selector" -}}
{{ include "ems.instance" (index . 0) }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end -}}

{{- define "ems.image" -}}
{{- $tag := default .Chart.AppVersion .Values.image.tag -}}
{{- $repository := .Values.image.repository -}}
{{- with (.Values.global).imageRegistry -}}
{{- /* As in container engines, a first part with a dot or a port is a registry. */ -}}
{{- $repository = printf "%s/%s" (trimSuffix "/" .) (regexReplaceAll "^([^/]*[.:][^/]*|localhost)/" $repository "") -}}
{{- end -}}
{{- if .Values.image.digest -}}
{{- printf "%s@%s" $repository .Values.image.digest -}}
{{- else -}}
{{- printf "%s:%s" $repository $tag -}}
{{- end -}}
{{- end -}}

{{- /* Pull secrets of the release and of an umbrella chart (objects or names), without duplicates. */ -}}
{{- define "ems.imagePullSecrets" -}}
{{- $secrets := .Values.imagePullSecrets -}}
{{- range (.Values.global).imagePullSecrets -}}
{{- $secrets = append $secrets (ternary (dict "name" .) . (kindIs "string" .)) -}}
{{- end -}}
{{- with uniq $secrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end -}}
{{- end -}}

{{- define "ems.serviceAccountName" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "ems.fullname" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- default "default" .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{- /* Fully qualified DNS name of a service; needs no search domains: (list root name) */ -}}
{{- define "ems.host" -}}
{{- $root := index . 0 -}}
{{- printf "%s-%s.%s.svc.%s" (include "ems.fullname" $root) (index . 1) $root.Release.Namespace $root.Values.clusterDomain -}}
{{- end -}}

{{- /* Table of processes, from deploy/mesh.ts. */ -}}
{{- define "ems.mesh" -}}
{{- .Files.Get "files/mesh.yaml" -}}
{{- end -}}

{{- /* Values of one component: defaults, overridden by its own: (list root name) */ -}}
{{- define "ems.component" -}}
{{- $root := index . 0 -}}
{{- $own := index $root.Values.components (index . 1) | default dict -}}
{{- $merged := mustMergeOverwrite (deepCopy $root.Values.defaults) (deepCopy $own) -}}
{{- /* A component that sets one of the two budgets does not inherit the other. */ -}}
{{- $budget := $own.podDisruptionBudget | default dict -}}
{{- range $set, $other := dict "minAvailable" "maxUnavailable" "maxUnavailable" "minAvailable" -}}
{{- if and (hasKey $budget $set) (not (hasKey $budget $other)) -}}
{{- $_ := set $merged "podDisruptionBudget" (omit $merged.podDisruptionBudget $other) -}}
{{- end -}}
{{- end -}}
{{- toYaml $merged -}}
{{- end -}}

{{- /* Settings of one component by variable: global ones that it has, then `defaults`, then its own: (list root name process) */ -}}
{{- define "ems.settings" -}}
{{- $root := index . 0 -}}
{{- $component := include "ems.component" (list $root (index . 1)) | fromYaml -}}
{{- $allowed := (index . 2).settings -}}
{{- $settings := (index . 2).pools | default dict | deepCopy -}}
{{- range $from := list $root.Values.settings $root.Values.defaults.settings $component.settings -}}
{{- range $name, $value := $from -}}
{{- if has $name $allowed -}}
{{- $_ := set $settings $name (ternary $value (toJson $value) (kindIs "string" $value)) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- toYaml $settings -}}
{{- end -}}

{{- /* Maximum number of concurrent processes of a component, including replacements during a rollout: (component) */ -}}
{{- define "ems.processesMax" -}}
{{- $max := int .replicas -}}
{{- range list .autoscaling .keda }}{{ if .enabled }}{{ $max = int .maxReplicas }}{{ end }}{{ end -}}
{{- if eq .strategy.type "RollingUpdate" -}}
{{- $surge := dig "rollingUpdate" "maxSurge" "25%" .strategy | toString -}}
{{- $max = add $max (ternary (div (add (mul $max (trimSuffix "%" $surge | int)) 99) 100) (int $surge) (hasSuffix "%" $surge)) -}}
{{- end -}}
{{- $max -}}
{{- end -}}

{{- /* Maximum direct connections of all processes to PostgreSQL. */ -}}
{{- define "ems.connections" -}}
{{- $sum := 0 -}}
{{- range $name, $process := include "ems.mesh" . | fromYaml -}}
{{- if $process.pools -}}
{{- $settings := include "ems.settings" (list $ $name $process) | fromYaml -}}
{{- $isElsewhere := or (eq (get $settings "DATABASE_POOLER") "transaction") (and (eq $name "reporting") (or $.Values.database.replica.key $.Values.database.replica.host)) -}}
{{- $each := add (ternary 0 (int $settings.DATABASE_POOL_MAX) (not (not $isElsewhere))) (get $settings "RELAY_POOL_MAX" | default 0 | int) -}}
{{- $sum = add $sum (mul $each (include "ems.component" (list $ $name) | fromYaml | include "ems.processesMax" | int)) -}}
{{- end -}}
{{- end -}}
{{- $sum -}}
{{- end -}}

{{- /* Termination grace period: the drain delay, 20 s of shutdown and 5 s of reserve. (dict of settings) */ -}}
{{- define "ems.graceSeconds" -}}
{{- $delayMs := get . "DRAIN_DELAY_MS" | default "5000" | int -}}
{{- add (div (add $delayMs 999) 1000) 25 -}}
{{- end -}}
