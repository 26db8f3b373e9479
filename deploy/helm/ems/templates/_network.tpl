{{- /* Rules of NetworkPolicies. */ -}}

{{- /* TCP egress to the peers, or to all if the list is empty: (list peers ports) */ -}}
{{- define "ems.to" -}}
- ports:
    {{- range index . 1 }}
    - { protocol: TCP, port: {{ . }} }
    {{- end }}
  {{- with index . 0 }}
  to:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}

{{- define "ems.toDns" -}}
- ports:
    {{- range .Values.networkPolicy.dnsPorts }}
    - { protocol: UDP, port: {{ . }} }
    - { protocol: TCP, port: {{ . }} }
    {{- end }}
  {{- with .Values.networkPolicy.dnsTo }}
  to:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}

{{- /* Webhook addresses: public ones as in services/notifications/src/hosts/addresses.ts, and WEBHOOK_ALLOW_CIDRS. */ -}}
{{- define "ems.publicPeers" -}}
{{- $public := .Files.Get "files/public-addresses.json" | fromJson -}}
{{- range $cidr, $except := $public }}
- ipBlock:
    cidr: {{ $cidr }}
    except:
      {{- toYaml $except | nindent 6 }}
{{- end }}
{{- end -}}

{{- /* Pods of components: (list root names) */ -}}
{{- define "ems.podPeers" -}}
{{- $root := index . 0 -}}
- podSelector:
    matchLabels:
      {{- include "ems.instance" $root | nindent 6 }}
    matchExpressions:
      - key: app.kubernetes.io/component
        operator: In
        values: {{ toJson (index . 1) }}
{{- end -}}
