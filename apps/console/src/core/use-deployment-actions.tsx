import { deploymentCan, type Deployment, type DeploymentOnce } from '@masthead/contract/core/deployment'
import {
  deleteDeployment,
  pauseDeployment,
  resumeDeployment,
  revokeDeployment,
  rotateToken,
  updateDeployment,
} from '@masthead/contract/core/operations'
import { Ban, Pause, Pencil, Play, RefreshCw, Trash2 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useOperation } from '../api/query.ts'
import { useDenied } from '../kit/ActionButton.tsx'
import { ConfirmCall } from '../kit/ConfirmCall.tsx'
import { FormModal } from '../kit/FormModal.tsx'
import { OverlapField } from '../kit/span-fields.tsx'
import type { MenuItem } from '../ui/Menu.tsx'
import type { Said } from '../ui/FailureNotice.tsx'
import { plain, toast } from '../ui/toast.ts'
import { CreateDeploymentModal, EditDeploymentModal } from './DeploymentForm.tsx'
import { TokenOnce } from './TokenOnce.tsx'

type Doing =
  | { what: 'create' }
  | { what: 'token'; deployment: DeploymentOnce }
  | { what: 'edit' | 'rotate' | 'revoke' | 'delete'; deployment: Deployment }

const over = 'It is revoked for good'

/** What can be done with deployments: the items of a menu, how to begin a new one, and the dialog that is open. */
export function useDeploymentActions({ onDeleted }: { onDeleted?: () => void } = {}): {
  items: (deployment: Deployment) => MenuItem[]
  create: () => void
  dialog: ReactNode
} {
  const [doing, setDoing] = useState<Doing | null>(null)
  const denied = useDenied()
  const pausing = useOperation(pauseDeployment)
  const resuming = useOperation(resumeDeployment)
  const items = (deployment: Deployment): MenuItem[] => {
    const { state, name } = deployment
    const open = (what: 'edit' | 'rotate' | 'revoke' | 'delete') => () => setDoing({ what, deployment })
    const input = { params: { deployment_id: deployment.id } }
    const said = (words: string) => ({
      onSuccess: () => toast.success(`${words} ${plain(name)}`),
      onError: (failure: Said) => toast.failure(failure),
    })
    return [
      {
        label: 'Edit',
        icon: Pencil,
        onSelect: open('edit'),
        disabled: denied(updateDeployment) ?? (deploymentCan.update(state) ? null : over),
      },
      state === 'paused'
        ? {
            label: 'Resume',
            icon: Play,
            onSelect: () => resuming.mutate(input, said('Resumed')),
            disabled: denied(resumeDeployment),
          }
        : {
            label: 'Pause',
            icon: Pause,
            onSelect: () => pausing.mutate(input, said('Paused')),
            disabled: denied(pauseDeployment) ?? (deploymentCan.pause(state) ? null : 'It enrols no devices now'),
          },
      {
        label: 'Rotate token',
        icon: RefreshCw,
        onSelect: open('rotate'),
        disabled: denied(rotateToken) ?? (deploymentCan.rotate(state) ? null : over),
      },
      {
        label: 'Revoke',
        icon: Ban,
        danger: true,
        onSelect: open('revoke'),
        disabled: denied(revokeDeployment) ?? (deploymentCan.revoke(state) ? null : over),
      },
      { label: 'Delete', icon: Trash2, danger: true, onSelect: open('delete'), disabled: denied(deleteDeployment) },
    ]
  }
  return {
    items,
    create: () => setDoing({ what: 'create' }),
    dialog: doing && <DeploymentDialog doing={doing} onClose={() => setDoing(null)} onNext={setDoing} onDeleted={onDeleted} />,
  }
}

type Dialog = { doing: Doing; onClose: () => void; onNext: (doing: Doing) => void; onDeleted: (() => void) | undefined }

function DeploymentDialog({ doing, onClose, onNext, onDeleted }: Dialog) {
  const showToken = (deployment: DeploymentOnce) => onNext({ what: 'token', deployment })
  if (doing.what === 'create') return <CreateDeploymentModal onClose={onClose} onMade={showToken} />
  if (doing.what === 'token') return <TokenOnce deployment={doing.deployment} onClose={onClose} />
  const { what, deployment } = doing
  const input = { params: { deployment_id: deployment.id } }
  if (what === 'edit')
    return <EditDeploymentModal deployment={deployment} onClose={onClose} onDone={() => toast.success(`Saved ${plain(deployment.name)}`)} />
  if (what === 'rotate')
    return (
      <FormModal
        open
        onClose={onClose}
        title={`Rotate the token of ${deployment.name}?`}
        operation={rotateToken}
        values={{ overlap_hours: 24 }}
        input={(body) => ({ ...input, body })}
        submit="Rotate token"
        onDone={showToken}
      >
        <p className="text-fg-2">It gets a new token, which is shown once. Devices that enrolled keep working.</p>
        <OverlapField label="Previous token works for" />
      </FormModal>
    )
  if (what === 'revoke')
    return (
      <ConfirmCall
        onClose={onClose}
        operation={revokeDeployment}
        input={input}
        title={`Revoke ${deployment.name}?`}
        confirm="Revoke"
        color="danger"
        done={`Revoked ${plain(deployment.name)}`}
      >
        Its tokens stop at once and for good. Devices that enrolled keep working.
      </ConfirmCall>
    )
  return (
    <ConfirmCall
      onClose={onClose}
      operation={deleteDeployment}
      input={input}
      title={`Delete ${deployment.name}?`}
      confirm="Delete deployment"
      color="danger"
      done={`Deleted ${plain(deployment.name)}`}
      onDone={onDeleted}
    >
      Its tokens stop at once, and its list of enrolments and refusals goes with it. Devices that enrolled keep working.
    </ConfirmCall>
  )
}
