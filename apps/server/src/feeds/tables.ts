import type { FeedFile } from '@masthead/contract/backoffice/feed-file-operations'
import type { Defaulted } from '../kernel/database/database.ts'

declare module '../kernel/database/database.ts' {
  interface Database {
    /** Its gateway has the same id. */
    feed: {
      id: string
      name: string
      key_hash: Buffer
      key_prefix: string
      folder: string | null
      /** What of it could not be read when it was last looked at, and since when. */
      folder_failure: Defaulted<string | null>
      folder_failed_at: Defaulted<Date | null>
      silent_after_minutes: number | null
      created_at: Date
      created_by: string
      disabled_at: Defaulted<Date | null>
      heard_at: Defaulted<Date | null>
      called_at: Defaulted<Date | null>
      calls_since: Defaulted<Date | null>
    }
    feed_record: {
      feed_id: string
      kind: 'usage' | 'event'
      record_id: string
      received_at: Date
      outcome: 'counted' | 'compared' | 'quarantined' | 'kept'
    }
    feed_day: {
      account_id: string
      sim_id: string
      /** `2026-11-03`, in UTC */
      day: string
      feed_id: string
      records: number
      bytes: number
      counted_bytes: number
    }
    /** The feed that counts for a SIM of which no gateway reports. */
    sim_feed: {
      account_id: string
      sim_id: string
      feed_id: string
      counted_to: Date
      unjudged_from: Defaulted<Date | null>
      /** When a gateway last went on with a session from before that. */
      gateway_at: Defaulted<Date | null>
    }
    feed_file: {
      id: string
      feed_id: string
      name: string
      source: 'upload' | 'folder'
      /** SHA-256 of all of it, once it is there. */
      content: Buffer | null
      size_bytes: Defaulted<number>
      state: FeedFile['state']
      lines_done: Defaulted<number>
      counted: Defaulted<number>
      compared: Defaulted<number>
      duplicates: Defaulted<number>
      quarantined: Defaulted<number>
      wrong: Defaulted<number>
      failure: Defaulted<string | null>
      added_at: Date
      added_by: string | null
      finished_at: Defaulted<Date | null>
    }
    feed_file_part: { file_id: string; part: number; content: Buffer }
    feed_file_error: { file_id: string; line: number; words: string }
    feed_folder_file: { feed_id: string; name: string; size_bytes: number; modified_at: Date; file_id: string | null }
  }
}
