import type { Asset } from '@masthead/contract/assets/asset'
import { activateSim, deactivateSim } from '@masthead/contract/assets/operations'
import { readySim, standbySim, terminateSim } from '@masthead/contract/assets/sim-operations'
import type { Sim, SimAction } from '@masthead/contract/assets/sim'
import { formatBytes } from '@masthead/contract/usage/bytes'
import type { ReactNode } from 'react'
import { useOperation } from '../api/query.ts'
import { ConfirmCall } from '../kit/ConfirmCall.tsx'
import { Confirm } from '../ui/Confirm.tsx'
import { plain, toast } from '../ui/toast.ts'
import { networkWords } from './session-words.ts'
import { lower } from './sim-words.ts'

const questions = {
  activate: { operation: activateSim, title: 'Activate this SIM?', confirm: 'Activate', done: 'Activated the SIM of' },
  deactivate: { operation: deactivateSim, title: 'Deactivate this SIM?', confirm: 'Deactivate', done: 'Deactivated the SIM of' },
  standby: { operation: standbySim, title: 'Put this SIM on standby?', confirm: 'Put on standby', done: 'On standby: the SIM of' },
  ready: { operation: readySim, title: 'Set this SIM to ready?', confirm: 'Set to ready', done: 'Ready: the SIM of' },
} as const

/** Asks before a SIM is set to another state, saying what becomes of its live session. */
export function SimActionDialog({ asset, action, onClose }: { asset: Asset; action: SimAction; onClose: () => void }) {
  if (action === 'terminate') return <TerminateDialog asset={asset} onClose={onClose} />
  const { done, operation, ...question } = questions[action]
  return (
    <ConfirmCall
      onClose={onClose}
      {...question}
      // All four take and answer the same.
      operation={operation as typeof activateSim}
      input={{ params: { asset_id: asset.id } }}
      color={action === 'deactivate' ? 'danger' : 'success'}
      done={`${done} ${plain(asset.name)}`}
    >
      <Named asset={asset} />
      {asset.sim && words[action](asset.sim)}
    </ConfirmCall>
  )
}

const Named = ({ asset }: { asset: Asset }) => (
  <p>
    <b className="font-medium text-fg wrap-anywhere">{asset.name}</b>
    {asset.sim && <span className="mono ml-2">{asset.sim.iccid}</span>}
  </p>
)

/** Whoever ends a SIM for ever types all of its number. */
function TerminateDialog({ asset, onClose }: { asset: Asset; onClose: () => void }) {
  const call = useOperation(terminateSim)
  const { iccid, session } = asset.sim!
  return (
    <Confirm
      open
      onClose={onClose}
      title="Terminate this SIM for ever?"
      confirm="Terminate"
      color="danger"
      typed={iccid}
      loading={call.isPending}
      failure={call.error}
      onConfirm={() =>
        call.mutate(
          { params: { asset_id: asset.id }, body: { iccid } },
          {
            onSuccess: () => {
              toast.success(`Terminated the SIM of ${plain(asset.name)}`)
              onClose()
            },
          }
        )
      }
    >
      <Named asset={asset} />
      <p>
        It leaves the network <b className="font-medium text-fg">for ever</b>
        {session ? ', and its live session is cut at once' : ''}. Nobody can bring it back, not even support staff. Its usage and its
        history stay; the asset can get another SIM.
      </p>
    </Confirm>
  )
}

const words: Record<Exclude<SimAction, 'terminate'>, (sim: Sim) => ReactNode> = {
  activate: (sim) => <ActivateWords sim={sim} />,
  deactivate: (sim) => <DeactivateWords sim={sim} />,
  standby: () => <p>It keeps its numbers and its place on the network. It is active again by itself when its device connects.</p>,
  ready: () => (
    <p>It costs nothing until its first session, or until its test allowance is used up. This is possible while it was never active.</p>
  ),
}

function ActivateWords({ sim }: { sim: Sim }) {
  const [block] = sim.blocks.filter(({ code }) => code !== 'rule')
  const freed = sim.blocks.some(({ code }) => code === 'rule') ? 'The block of alert rules is taken off. ' : ''
  if (!block)
    return (
      <p>
        {freed}
        The network accepts it from now on. Its session starts when its device connects.
      </p>
    )
  return (
    <p>
      {freed}
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
