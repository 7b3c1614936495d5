import type { ImageConfig } from '@masthead/contract/registry/image'
import type { Judgement } from '@masthead/contract/registry/retention'
import type { Package, Sbom } from '@masthead/contract/registry/sbom'
import type { Signature, SigningKey } from '@masthead/contract/registry/signature'
import type { Severity, SeverityCounts } from '@masthead/contract/registry/vulnerability'
import type { Defaulted, Json, Kept } from '../kernel/database/database.ts'
import type { Platform } from './content/read-manifest.ts'

/** A repository of an account: the beginning of the key of all that is in it. */
type Within = { account_id: string; repository_id: string }

declare module '../kernel/database/database.ts' {
  interface Database {
    registry_account: {
      account_id: string
      slug: string
      quota_bytes: Defaulted<number | null>
      immutable: Defaulted<string[]>
      created_at: Date
    }
    registry_repository: {
      account_id: string
      id: string
      name: string
      created_at: Date
      pushed_at: Defaulted<Date | null>
      pushed_by: Defaulted<string | null>
      pulled_at: Defaulted<Date | null>
      pulls: Defaulted<number>
    }
    registry_blob: {
      digest: string
      key: string
      bytes: number
      kept_at: Date
      damaged_at: Defaulted<Date | null>
      checked_at: Defaulted<Date | null>
    }
    registry_held: Within & { digest: string; bytes: number; held_at: Date }
    registry_manifest: Within & {
      digest: string
      media_type: string
      artifact_type: string | null
      subject: string | null
      content: Buffer
      bytes: number
      size_bytes: number
      annotations: Json<Record<string, string>>
      platforms: Json<Platform[]>
      config: string | null
      image: Json<ImageConfig> | null
      pushed_at: Date
      pushed_by: string
      pulled_at: Defaulted<Date | null>
      pulls: Defaulted<number>
      security: Defaulted<number>
    }
    registry_to_rank: Within & { id: Kept<number>; digest: string }
    registry_reference: Within & { digest: string; target: string; kind: 'config' | 'layer' | 'manifest' }
    registry_tag: Within & { name: string; digest: string; protected: Defaulted<boolean>; pushed_at: Date; pushed_by: string }
    registry_robot: {
      account_id: string
      id: string
      name: string
      prefix: string
      hash: Buffer
      can_push: boolean
      repositories: string[]
      expires_at: Date | null
      created_by: string
      person_id: string
      api_key_id: Defaulted<string | null>
      created_at: Date
      last_used_at: Defaulted<Date | null>
    }
    registry_signing_key: {
      account_id: string
      id: string
      name: string
      kind: SigningKey['kind']
      fingerprint: string
      public_key: string
      created_by: string
      created_at: Date
    }
    registry_signature: Within & { digest: string; n: number; kind: Signature['of']; about: string[]; signed: Buffer; signature: Buffer }
    registry_sbom: Within & {
      digest: string
      n: number
      format: Sbom['format']
      format_version: string
      about: string[]
      made_by: string
      packages: number
      blob: string
      bytes: number
    }
    registry_package: Within &
      Pick<Package, 'place' | 'name' | 'version' | 'purl' | 'licence'> & {
        digest: string
        n: number
        ecosystem: string
        ecosystem_name: string
        ecosystem_version: string
      }
    registry_scan: {
      account_id: string
      digest: string
      state: 'waiting' | 'asking' | 'under_way' | 'done' | 'failed'
      due_at: Date | null
      asked_at: Date
      asked_by: Defaulted<string | null>
      urgent: boolean
      turn: Defaulted<number>
      tries: Defaulted<number>
      words: Defaulted<string | null>
      failed_at: Defaulted<Date | null>
      scan_id: Defaulted<string | null>
      report_type: Defaulted<string | null>
      begun_at: Defaulted<Date | null>
      begun_with: Defaulted<Date | null>
      done_at: Defaulted<Date | null>
      scanner: Defaulted<string | null>
      database_at: Defaulted<Date | null>
      vulnerabilities: Defaulted<number | null>
      counts: Json<SeverityCounts> | null
      beyond: Json<SeverityCounts> | null
    }
    registry_scan_vulnerability: {
      account_id: string
      digest: string
      place: number
      id: string
      severity: Severity
      summary: string
      package: string
      version: string
      fixed_in: string | null
    }
    registry_retention: {
      account_id: string
      id: string
      repository_id: string | null
      keep_newest: number | null
      keep_days: number | null
      keep_like: string[]
      untagged_days: number | null
      changed_at: Date
      changed_by: string
    }
    registry_clean_up: {
      account_id: string
      id: string
      at: Date
      started_by: string | null
      tags: number
      images: number
      freed_bytes: number
      kept: number
      report: Json<Pick<Judgement, 'why_kept' | 'going' | 'staying'>>
    }
    registry_pull_day: Within & { day: string; pulls: number }
    registry_upload: Within & {
      id: string
      bytes: Defaulted<number>
      reserved: Defaulted<number>
      writer: Defaulted<string | null>
      writing_until: Defaulted<Date | null>
      started_at: Date
      touched_at: Date
    }
  }
}
