import type { Asset } from '@masthead/contract/assets/asset'
import { activateSim, deactivateSim } from '@masthead/contract/assets/operations'
import type { Sim } from '@masthead/contract/assets/sim'
import { formatBytes } from '@masthead/contract/usage/bytes'
import { ConfirmCall } from '../kit/ActionButton.tsx'
import { plain } from '../ui/toast.ts'
import { lower } from './service-path.ts'
import { networkWords } from './session-words.ts'

export type SimSwitch = 'activate' | 'deactivate'

/** Asks before a SIM is switched on or off, saying what becomes of its live session. */
export function SimActionDialog({ asset, action, onClose }: { asset: Asset; action: SimSwitch; onClose: () => void }) {
  const on = action === 'activate'
  return (
    <ConfirmCall
      onClose={onClose}
      operation={on ? activateSim : deactivateSim}
      input={{ params: { asset_id: asset.id } }}
      title={on ? 'Activate this SIM?' : 'Deactivate this SIM?'}
      confirm={on ? 'Activate' : 'Deactivate'}
      color={on ? 'success' : 'danger'}
      done={`${on ? 'Activated' : 'Deactivated'} the SIM of ${plain(asset.name)}`}
    >
      <p>
        <b className="font-medium text-fg wrap-anywhere">{asset.name}</b>
        {asset.sim && <span className="mono ml-2">{asset.sim.iccid}</span>}
      </p>
      {asset.sim && (on ? <ActivateWords sim={asset.sim} /> : <DeactivateWords sim={asset.sim} />)}
    </ConfirmCall>
  )
}

function ActivateWords({ sim }: { sim: Sim }) {
  const [block] = sim.blocks
  if (!block) return <p>The network accepts it from now on. Its session starts when its device connects.</p>
  return (
    <p>
      It is set to active, but stays blocked: {block.words}. Service returns {lower(block.clears)}.
    </p>
  )
}

function DeactivateWords({ sim: { session } }: { sim: Sim }) {
  const kept = 'It keeps its numbers, its tags and its usage.'
  if (!session) return <p>It has no live session now. New ones are rejected until it is activated again. {kept}</p>
  const so = [networkWords(session), formatBytes(session.bytes_up + session.bytes_down)].filter(Boolean).join(', ')
  return (
    <>
      <p>
        Its live session ({so} so far) is <b className="font-medium text-fg">cut at once</b>: we ask the gateway to disconnect it, and show
        here what the gateway answers.
      </p>
      <p>New sessions are rejected until it is activated again. {kept}</p>
    </>
  )
}
