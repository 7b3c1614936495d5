import type { Asset } from '@masthead/contract/assets/asset'
import type { ImeiLock } from '@masthead/contract/assets/device'
import { simStates, type Sim } from '@masthead/contract/assets/sim'
import { formatBytes } from '@masthead/contract/usage/bytes'
import type { ReactNode } from 'react'
import { ActionButton } from '../../kit/ActionButton.tsx'
import { Fact, Facts, Panel } from '../../ui/Panel.tsx'
import { actOperations, actRefusal, type AssetAct } from '../sim/asset-acts.ts'
import { useAssetActs } from '../sim/use-asset-acts.tsx'
import { lockWords } from '../sim/lock-words.ts'

/** What the SIM is set to, each with its change. */
export function SettingsPanel({ asset, sim }: { asset: Asset; sim: Sim }) {
  const { open, dialog } = useAssetActs(asset)
  const { mode, own, imeis } = sim.imei_lock
  const row = (label: string, act: AssetAct, words: ReactNode) => (
    <Fact label={label}>
      <span className="flex items-baseline justify-between gap-2">
        <span className="min-w-0 wrap-anywhere">{words}</span>
        <ActionButton
          size="small"
          color="ghost"
          className="-my-1.5 -mr-2 flex-none"
          aria-label={`Change: ${label}`}
          operation={actOperations[act]}
          disabled={actRefusal(act, asset)}
          onClick={() => open(act)}
        >
          Change
        </ActionButton>
      </span>
    </Fact>
  )
  return (
    <Panel title="Settings">
      <div className="-my-1.5">
        <Facts>
          <Fact label="Set to">{simStates[sim.state]}</Fact>
          {sim.test && (
            <Fact label="Free test">
              {formatBytes(sim.test.used_bytes)} of {formatBytes(sim.test.allowance_bytes)}
            </Fact>
          )}
          {row('Data limit', 'limit', limitWords(sim))}
          {row('Devices', 'devices', `${deviceWords(mode, imeis)}${own === null && mode !== 'off' ? ', by its group' : ''}`)}
        </Facts>
      </div>
      {dialog}
    </Panel>
  )
}

/** The number of the one device stands among the numbers of the asset, or is looked up by the change. */
function deviceWords(mode: ImeiLock, imeis: readonly string[]): string {
  const words = mode === 'lock' && imeis.length === 1 ? 'locked to one device' : lockWords(mode, imeis)
  return words[0]!.toUpperCase() + words.slice(1)
}

function limitWords({ usage: { limit_bytes, limit_period, limit_of } }: Sim): string {
  if (limit_bytes === null || limit_of === null) return 'None'
  const usual = `${formatBytes(limit_of.usual_bytes)} a ${limit_period}${limit_of.scope === 'group' ? ', by its group' : ''}`
  return limit_of.raised ? `${formatBytes(limit_bytes)} ${limit_period === 'day' ? 'today' : 'this month'}, else ${usual}` : usual
}
