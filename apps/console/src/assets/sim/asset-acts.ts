import type { Asset } from '@masthead/contract/assets/asset'
import { activateSim, deactivateSim, updateAsset } from '@masthead/contract/assets/operations'
import * as ops from '@masthead/contract/assets/sim-operations'
import { updateDataPool } from '@masthead/contract/datapools/operations'
import { listNetworkGroups } from '@masthead/contract/network-groups/operations'
import { createTopUp } from '@masthead/contract/billing/top-up-operations'
import type { SimAction } from '@masthead/contract/assets/sim'
import {
  ArrowRightLeft,
  CircleDashed,
  CreditCard,
  Database,
  Gauge,
  LifeBuoy,
  Moon,
  PackageOpen,
  Power,
  PowerOff,
  RadioTower,
  RefreshCw,
  ShieldCheck,
  Smartphone,
  Trash2,
  type LucideIcon,
} from 'lucide-react'
import type { useDenied } from '../../kit/ActionButton.tsx'
import type { MenuItem } from '../../ui/Menu.tsx'
import { isSwitchedOff, simRefusal, switchRefusal } from '../sim-words.ts'

/** What can be done with one asset and its SIM, each by a dialog of its own. */
export type DialogAct =
  | SimAction
  | 'switch_on'
  | 'switch_off'
  | 'limit'
  | 'raise'
  | 'accept'
  | 'devices'
  | 'swap'
  | 'group'
  | 'release'
  | 'ask'
  | 'reset'
/** Its data pool has a page, and so have all pools, the balance, what is allowed to cost and alert rules. */
export type AssetAct = DialogAct | 'pool' | 'pools' | 'credits' | 'costs' | 'rules'

/** The operation behind each, for the permission of its button. */
export const actOperations = {
  activate: activateSim,
  deactivate: deactivateSim,
  standby: ops.standbySim,
  ready: ops.readySim,
  terminate: ops.terminateSim,
  switch_on: updateAsset,
  switch_off: updateAsset,
  limit: ops.setSimLimit,
  raise: ops.raiseSimLimit,
  accept: ops.acceptDevice,
  devices: ops.setImeiLock,
  swap: ops.swapSim,
  group: updateAsset,
  pool: updateDataPool,
  pools: updateDataPool,
  credits: createTopUp,
  // Whoever may buy credits may change what is allowed to cost: its own operation would be loaded with every list of assets.
  costs: createTopUp,
  // As above: what a rule did is taken back by who may change the asset.
  rules: updateAsset,
  release: ops.releaseAsset,
  ask: ops.askStaff,
  reset: ops.resetSim,
} as const

/** Its words and its mark on a button or in a menu. */
export const actWords: Record<AssetAct, { label: string; icon: LucideIcon }> = {
  activate: { label: 'Activate SIM', icon: Power },
  deactivate: { label: 'Deactivate SIM', icon: PowerOff },
  standby: { label: 'Put on standby', icon: Moon },
  ready: { label: 'Set to ready', icon: CircleDashed },
  terminate: { label: 'Terminate SIM', icon: Trash2 },
  switch_on: { label: 'Switch on asset', icon: Power },
  switch_off: { label: 'Switch off asset', icon: PowerOff },
  limit: { label: 'Data limit', icon: Gauge },
  raise: { label: 'Raise limit', icon: Gauge },
  accept: { label: 'Accept device', icon: ShieldCheck },
  devices: { label: 'IMEI lock', icon: Smartphone },
  swap: { label: 'Swap SIM', icon: ArrowRightLeft },
  group: { label: 'Change group', icon: RadioTower },
  pool: { label: 'Change pool', icon: Database },
  pools: { label: 'Data pools', icon: Database },
  credits: { label: 'Add credits', icon: CreditCard },
  costs: { label: 'Cost limits', icon: CreditCard },
  rules: { label: 'Alert rules', icon: Gauge },
  release: { label: 'Hand over asset', icon: PackageOpen },
  ask: { label: 'Ask support', icon: LifeBuoy },
  reset: { label: 'Reset connectivity', icon: RefreshCw },
}

type Denied = ReturnType<typeof useDenied>

const states: readonly SimAction[] = ['activate', 'deactivate', 'standby', 'ready', 'terminate']
const dangers: readonly AssetAct[] = ['deactivate', 'terminate', 'switch_off', 'release']

/** Why one may not do it, in words; null when one may. To choose a group one must see them. */
export const actDenied = (act: AssetAct, denied: Denied): string | null =>
  denied(actOperations[act]) ?? (act === 'group' ? denied(listNetworkGroups) : null)

const lasting = 'A SIM of this asset is terminated for ever. Ask support staff to take it back'

/** Why something cannot be done with an asset now, in words; null when it can. */
export function actRefusal(act: AssetAct, { sim, sims }: Pick<Asset, 'sim' | 'sims'>): string | null {
  if (act === 'ask' || act === 'credits' || act === 'costs' || act === 'rules') return null
  if (act === 'release') return (sims ?? [sim]).some((one) => one?.state === 'terminated') ? lasting : null
  if (!sim) return 'This asset has no SIM'
  if ((states as readonly AssetAct[]).includes(act)) return simRefusal(act as SimAction, sim)
  if (act === 'switch_off') return switchRefusal(sim)
  if (act === 'raise') return sim.usage.limit_bytes === null ? 'This SIM has no data limit' : null
  if (act === 'accept') return sim.imei === null ? 'The network has reported no device yet' : null
  if (act === 'reset') return sim.session ? null : 'No session is open'
  return null
}

/** Items of a menu, as far as they can ever be done with this asset; `denied` says why one may not. */
export function actItems(asset: Asset, denied: Denied, open: (act: DialogAct) => void): MenuItem[] {
  const item = (act: DialogAct): MenuItem => ({
    ...actWords[act],
    onSelect: () => open(act),
    disabled: actDenied(act, denied) ?? actRefusal(act, asset),
    danger: dangers.includes(act),
  })
  const { sim } = asset
  const isOff = sim !== null && isSwitchedOff(sim)
  return [
    ...(sim ? [item('limit'), item('devices'), item('group'), item('swap'), item('reset')] : []),
    item('ask'),
    { separator: true },
    ...(sim && sim.activated_at === null && sim.state === 'inactive' ? [item('ready')] : []),
    ...(sim ? [item('standby'), item(isOff ? 'switch_on' : 'switch_off'), item('terminate')] : []),
    item('release'),
  ]
}
