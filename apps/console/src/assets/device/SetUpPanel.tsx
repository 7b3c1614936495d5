import type { Asset } from '@masthead/contract/assets/asset'
import type { Device } from '@masthead/contract/devices/device'
import { deviceKindOf } from '@masthead/contract/devices/device-kind'
import { enrolDevice } from '@masthead/contract/devices/operations'
import { KeyRound, RadioTower } from 'lucide-react'
import { useState } from 'react'
import { ActionButton } from '../../kit/ActionButton.tsx'
import { ConfirmCall } from '../../kit/ConfirmCall.tsx'
import { SecretModal } from '../../kit/SecretModal.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { WhatToBring } from '../../core/index.ts'
import { ClaimCode } from './ClaimCode.tsx'
import { InstallLines } from './InstallLines.tsx'

const titleOf = (device: Device | null) => (device ? 'The device was never connected' : 'No device is set up yet')

/** How a device that was never seen comes here; the page changes by itself once it connects. */
export function SetUpPanel({ asset, device }: { asset: Asset; device: Device | null }) {
  if (deviceKindOf(asset.type) === 'agent')
    return (
      <Panel title={titleOf(device)}>
        <div className="grid gap-3">
          <p className="max-w-[60ch] text-fg-2 text-pretty">
            A claim code makes a device this asset. The agent on it reports how it is, and keeps its containers as you want them. This page
            shows the device as soon as it connects.
          </p>
          <ClaimCode asset={asset} />
        </div>
      </Panel>
    )
  return (
    <div className="grid gap-5">
      <Panel flush>
        <EmptyState icon={RadioTower} title={titleOf(device)} actions={<NewToken asset={asset} device={device} />}>
          Give the device a token, and run the line of the installer that comes with it. This page shows the device as soon as it connects.
        </EmptyState>
      </Panel>
      <WhatToBring />
    </div>
  )
}

/** The token of a CORE device: a question, and then the secret, once. */
export function NewToken({ asset, device }: { asset: Asset; device: Device | null }) {
  const [asking, setAsking] = useState(false)
  const [token, setToken] = useState<string | null>(null)
  return (
    <>
      <ActionButton operation={enrolDevice} icon={KeyRound} {...(!device && { color: 'primary-solid' })} onClick={() => setAsking(true)}>
        {device ? 'New token' : 'Set up the device'}
      </ActionButton>
      {asking && (
        <ConfirmCall
          onClose={() => setAsking(false)}
          operation={enrolDevice}
          input={{ params: { asset_id: asset.id } }}
          title={device ? `Give ${asset.name} a new token?` : `Set up the device of ${asset.name}?`}
          confirm={device ? 'New token' : 'Set up'}
          onDone={({ username }) => setToken(username)}
        >
          {device
            ? 'What is connected with the previous token is disconnected and refused. The new one is shown once.'
            : 'It gets a token of its own, which is shown once.'}
        </ConfirmCall>
      )}
      {token && (
        <SecretModal what="token" name={asset.name} secret={token} onClose={() => setToken(null)} more={<InstallLines token={token} />}>
          The token is the device’s only secret, and is shown here alone.
        </SecretModal>
      )}
    </>
  )
}
