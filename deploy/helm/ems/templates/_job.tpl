{{- /* Pods that complete: migrations, `helm test`, backups and `ems doctor`. */ -}}

{{- /* Values of such a pod: placement from `defaults` without annotations that inject sidecars, then its own values: (list root values) */ -}}
{{- define "ems.jobPod" -}}
{{- $root := index . 0 -}}
{{- $own := index . 1 -}}
{{- $shared := list "podAnnotations" "podLabels" "nodeSelector" "tolerations" "affinity" "priorityClassName" "extraVolumes" "extraVolumeMounts" "extraInitContainers" -}}
{{- $pod := dict -}}
{{- range $shared -}}{{- $_ := set $pod . (index $root.Values.defaults .) -}}{{- end -}}
{{- $pod = deepCopy $pod -}}
{{- if not $own.sidecar.inject -}}
{{- $_ := set $pod "podLabels" (mustMergeOverwrite $pod.podLabels (dict "sidecar.istio.io/inject" "false" "kuma.io/sidecar-injection" "disabled")) -}}
{{- $_ := set $pod "podAnnotations" (mustMergeOverwrite $pod.podAnnotations (dict "linkerd.io/inject" "disabled" "consul.hashicorp.com/connect-inject" "false")) -}}
{{- end -}}
{{- toYaml (mustMergeOverwrite $pod (deepCopy $own.pod)) -}}
{{- end -}}

{{- /* (list root name pod) */ -}}
{{- define "ems.jobPodLabels" -}}
{{- toYaml (mustMergeOverwrite (deepCopy (index . 0).Values.commonLabels) (deepCopy (index . 2).podLabels) (include "ems.selector" (list (index . 0) (index . 1)) | fromYaml)) -}}
{{- end -}}

{{- /* Common fields of a pod spec, without its containers: (list root pod) */ -}}
{{- define "ems.jobPodSpec" -}}
{{- $root := index . 0 -}}
{{- $pod := index . 1 -}}
serviceAccountName: {{ include "ems.serviceAccountName" $root }}
automountServiceAccountToken: false
enableServiceLinks: false
restartPolicy: Never
{{- with include "ems.imagePullSecrets" $root }}
{{ trim . }}
{{- end }}
securityContext:
  {{- toYaml $root.Values.podSecurityContext | nindent 2 }}
{{- with $pod.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with $pod.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $pod.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $pod.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- /* CronJob of one container: (dict root name own pod context spec backoffLimit args env mounts volumes). `own` are its values,
     `pod` its pod's values, `env` a text. */ -}}
{{- define "ems.cronJob" -}}
{{- $root := .root -}}
{{- $pod := .pod -}}
apiVersion: batch/v1
kind: CronJob
metadata:
  name: {{ include "ems.fullname" $root }}-{{ .name }}
  namespace: {{ $root.Release.Namespace }}
  labels:
    {{- include "ems.labels" $root | nindent 4 }}
    app.kubernetes.io/component: {{ .name }}
spec:
  {{- toYaml .spec | nindent 2 }}
  concurrencyPolicy: Forbid
  jobTemplate:
    spec:
      backoffLimit: {{ .backoffLimit }}
      activeDeadlineSeconds: {{ .own.activeDeadlineSeconds }}
      template:
        metadata:
          labels:
            {{- include "ems.jobPodLabels" (list $root .name $pod) | nindent 12 }}
          {{- with $pod.podAnnotations }}
          annotations:
            {{- toYaml . | nindent 12 }}
          {{- end }}
        spec:
          {{- mustMergeOverwrite (include "ems.jobPodSpec" (list $root $pod) | fromYaml) (dict "securityContext" .context) | toYaml | nindent 10 }}
          {{- with $pod.extraInitContainers }}
          initContainers:
            {{- toYaml . | nindent 12 }}
          {{- end }}
          containers:
            - name: {{ .name }}
              image: {{ include "ems.image" $root | quote }}
              imagePullPolicy: {{ $root.Values.image.pullPolicy }}
              args: {{ toJson .args }}
              env:
                {{- .env | nindent 16 }}
                {{- include "ems.mergedEnv" (list $root.Values.extraEnv) | trim | nindent 16 }}
              {{- with $root.Values.extraEnvFrom }}
              envFrom:
                {{- toYaml . | nindent 16 }}
              {{- end }}
              resources:
                {{- toYaml .own.resources | nindent 16 }}
              securityContext:
                {{- toYaml $root.Values.securityContext | nindent 16 }}
              volumeMounts:
                - name: tmp
                  mountPath: /tmp
                {{- with .mounts }}
                {{- toYaml . | nindent 16 }}
                {{- end }}
                {{- if $root.Values.database.ca.existingSecret }}
                {{- include "ems.databaseCaMount" $root | nindent 16 }}
                {{- end }}
                {{- with $pod.extraVolumeMounts }}
                {{- toYaml . | nindent 16 }}
                {{- end }}
          volumes:
            - name: tmp
              emptyDir:
                sizeLimit: 256Mi
            {{- with .volumes }}
            {{- toYaml . | nindent 12 }}
            {{- end }}
            {{- if $root.Values.database.ca.existingSecret }}
            {{- include "ems.databaseCaVolume" $root | nindent 12 }}
            {{- end }}
            {{- with $pod.extraVolumes }}
            {{- toYaml . | nindent 12 }}
            {{- end }}
{{- end -}}

{{- /* Merges lists of variables by name. The last value wins and takes the position of the first: (list variables …) */ -}}
{{- define "ems.mergedEnv" -}}
{{- $names := list -}}
{{- $byName := dict -}}
{{- range $variables := . -}}
{{- range $variables -}}
{{- if not (hasKey $byName .name) -}}{{- $names = append $names .name -}}{{- end -}}
{{- $_ := set $byName .name . -}}
{{- end -}}
{{- end -}}
{{- range $names }}
{{ toYaml (list (index $byName .)) }}
{{- end -}}
{{- end -}}
