import type { Board, Region } from '@masthead/contract/core/deployment'
import type { RefusalCode } from '@masthead/contract/core/enrolment'
import type { Defaulted } from '../kernel/database/database.ts'

declare module '../kernel/database/database.ts' {
  interface Database {
    core_deployment: {
      account_id: string
      id: string
      name: string
      region: Region
      board: Board
      tags: string[]
      network_group_id: string | null
      max_devices: number | null
      expires_at: Date | null
      paused_at: Defaulted<Date | null>
      revoked_at: Defaulted<Date | null>
      enrolled: Defaulted<number>
      last_enrolled_at: Defaulted<Date | null>
      created_by: string
      created_at: Date
      rotated_at: Defaulted<Date | null>
    }
    core_deployment_token: {
      hash: Buffer
      account_id: string
      deployment_id: string
      token_end: string
      limited_to: string[]
      may_register: boolean
      created_at: Date
      expires_at: Date | null
    }
    core_enrolment: {
      account_id: string
      deployment_id: string
      iccid: string
      asset_id: string | null
      enrolled_at: Date | null
      refused_code: RefusalCode | null
      first_at: Date
      last_at: Date
      asked: Defaulted<number>
      ip: string | null
      token_made_at: Date | null
    }
  }
}
