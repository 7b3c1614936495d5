import { accountChanged, accountRegistered } from '@masthead/contract/auth/events'
import {
  assetRegistered,
  assetRenamed,
  assetSwitchedOff,
  sessionCut,
  simActivated,
  simBlocked,
  simDeactivated,
} from '@masthead/contract/assets/events'
import type { EventKind } from '@masthead/contract/kernel/event'
import { newId } from '@masthead/contract/kernel/id'
import { tagAssigned, tagCreated } from '@masthead/contract/tags/events'
import { invitationAccepted, memberInvited } from '@masthead/contract/teams/events'
import { presets } from '@masthead/contract/teams/presets'
import type * as z from 'zod/mini'
import type { Tx } from '../kernel/app.ts'
import type { SimBlock } from '@masthead/contract/assets/sim'
import { isRestarted, restartedHoursAgo, type DemoAsset } from './fleet.ts'
import { operatorPermissions } from './people.ts'

type BlockedAsset = DemoAsset & { blocks: readonly SimBlock[] }

type Row = { hoursAgo: number; actor: string; name: string; asset_id: string | null; detail: Record<string, unknown> }

const happened = <Detail extends z.ZodMiniType>(
  hoursAgo: number,
  actor: string,
  kind: EventKind<Detail>,
  detail: z.output<Detail>
): Row => ({
  hoursAgo,
  actor,
  name: kind.name,
  asset_id: (detail as { asset_id?: string }).asset_id ?? null,
  detail: kind.detail.parse(detail) as Record<string, unknown>,
})

/** What led to the state the demo starts in. Written past `record`: nobody is to be notified of it again. */
export async function writeDemoEvents(
  tx: Tx,
  account_id: string,
  fleet: readonly BlockedAsset[],
  tags: readonly { id: string; name: string }[],
  now: Date
) {
  const owner = 'owner@demo.test'
  const operator = 'operator@demo.test'
  const about = ({ asset_id, name }: DemoAsset) => ({ asset_id, asset_name: name })
  const simOf = (asset: DemoAsset) => ({ ...about(asset), sim_id: asset.sim_id, iccid: asset.iccid })
  const ago = ({ since }: SimBlock) => (now.getTime() - new Date(since).getTime()) / 3_600_000
  const [oldest, moved] = fleet as [BlockedAsset, BlockedAsset]
  const restarted = fleet.find(isRestarted)!
  const operatorRights = { permissions: operatorPermissions, tags: ['cold-chain'] }
  const rows: Row[] = [
    happened(320 * 24, owner, accountRegistered, { email: owner, team_name: 'Acme Telemetry' }),
    ...tags.map(({ id, name }, i) => happened(200 * 24 - i, owner, tagCreated, { tag_id: id, tag_name: name })),
    ...fleet.map((asset, i) =>
      happened(asset.created_days_ago * 24 - (i % 20) / 10, owner, assetRegistered, { ...about(asset), serial: asset.serial })
    ),
    ...fleet
      .filter(({ state }) => state === 'inactive')
      .map((asset, i) => happened(26 + i * 31, i % 2 ? operator : owner, simDeactivated, simOf(asset))),
    ...fleet.flatMap((asset) =>
      asset.blocks.map((block) =>
        block.code === 'asset_off'
          ? happened(ago(block), block.by, assetSwitchedOff, about(asset))
          : happened(ago(block), block.by, simBlocked, { ...simOf(asset), code: block.code, words: block.words })
      )
    ),
    ...fleet
      .filter(({ block }) => block === 'data_limit')
      .map((asset) =>
        happened(ago(asset.blocks[0]!) - 0.0002, 'system', sessionCut, {
          ...simOf(asset),
          session_id: '',
          answer: 'ack',
          words: 'Confirmed by the gateway',
        })
      ),
    // This morning: a truck was put on another run, and one whose session hung got a new one.
    happened(restartedHoursAgo + 0.1, operator, simDeactivated, simOf(restarted)),
    happened(restartedHoursAgo, operator, simActivated, simOf(restarted)),
    happened(0.6, operator, assetRenamed, { ...about(moved), old_name: `${moved.name}-spare`, new_name: moved.name }),
    happened(0.5, operator, tagAssigned, { ...about(moved), tag_id: tags[0]!.id, tag_name: tags[0]!.name }),
    happened(22, owner, accountChanged, { old_name: 'Acme Telemetry', new_name: 'Acme Telemetry', timezone: 'UTC' }),
    happened(50, operator, assetRenamed, { ...about(oldest!), old_name: 'reefer-truck-new', new_name: oldest!.name }),
    happened(51, operator, tagAssigned, { ...about(oldest!), tag_id: tags[0]!.id, tag_name: tags[0]!.name }),
    happened(90 * 24, owner, memberInvited, { added_member: operator, ...operatorRights }),
    happened(89 * 24, operator, invitationAccepted, { added_member: operator, ...operatorRights }),
    happened(48, owner, memberInvited, {
      added_member: 'accounting@demo.test',
      permissions: [...presets[2]!.permissions],
      tags: ['marine'],
    }),
    happened(0.01, owner, memberInvited, { added_member: 'invited@demo.test', permissions: [...presets[1]!.permissions], tags: null }),
    happened(75, owner, simActivated, simOf(fleet[45]!)),
  ]
  const events = rows.map(({ hoursAgo, actor, name, asset_id, detail }) => {
    // To the millisecond: the proof of a limit finds its block by the time.
    const at = new Date(Math.round(now.getTime() - hoursAgo * 3_600_000))
    const [category, action] = name.split('.') as [string, string]
    return {
      account_id,
      id: newId('event', at.getTime()),
      at,
      category,
      action,
      actor_kind: actor.includes('@') ? ('member' as const) : (actor as 'system' | 'staff'),
      actor_email: actor,
      asset_id,
      ip: null,
      request_id: null,
      detail: JSON.stringify(detail),
    }
  })
  await tx.insertInto('event').values(events).execute()
}
