import type { Asset } from '@masthead/contract/assets/asset'
import type { Device } from '@masthead/contract/devices/device'
import { enrolDevice } from '@masthead/contract/devices/operations'
import { KeyRound, RadioTower } from 'lucide-react'
import { useState } from 'react'
import { ActionButton } from '../../kit/ActionButton.tsx'
import { ConfirmCall } from '../../kit/ConfirmCall.tsx'
import { SecretModal } from '../../kit/SecretModal.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Panel } from '../../ui/Panel.tsx'

type Login = { client_id: string; username: string; password: string }

/** How a device that was never seen comes here: it gets credentials, and the page changes by itself once it connects. */
export function SetUpPanel({ asset, device }: { asset: Asset; device: Device | null }) {
  const core = asset.type === 'core'
  return (
    <Panel flush>
      <EmptyState
        icon={RadioTower}
        title={device ? 'The device was never connected' : 'No device is set up yet'}
        actions={<NewCredentials asset={asset} device={device} />}
      >
        {core
          ? 'Give the device a token. It stands as core.token in /opt/sixfab/.env.yaml, beside MQTT_HOST with the name of this server.'
          : 'Give the device credentials for MQTT. Its agent connects with them, and says what it is.'}
        {' This page shows the device as soon as it connects.'}
      </EmptyState>
    </Panel>
  )
}

/** A question, and then the secret, once. */
export function NewCredentials({ asset, device }: { asset: Asset; device: Device | null }) {
  const [asking, setAsking] = useState(false)
  const [login, setLogin] = useState<Login | null>(null)
  const what = asset.type === 'core' ? 'token' : 'password'
  return (
    <>
      <ActionButton operation={enrolDevice} icon={KeyRound} {...(!device && { color: 'primary-solid' })} onClick={() => setAsking(true)}>
        {device ? `New ${what}` : 'Set up the device'}
      </ActionButton>
      {asking && (
        <ConfirmCall
          onClose={() => setAsking(false)}
          operation={enrolDevice}
          input={{ params: { asset_id: asset.id } }}
          title={device ? `Give ${asset.name} a new ${what}?` : `Set up the device of ${asset.name}?`}
          confirm={device ? `New ${what}` : 'Set up'}
          onDone={setLogin}
        >
          {device
            ? `What is connected with the ${what} of before is disconnected and refused. The new one is shown once.`
            : `It gets a ${what} of its own, which is shown once.`}
        </ConfirmCall>
      )}
      {login && (
        <SecretModal
          what={what}
          name={asset.name}
          secret={what === 'token' ? login.username : login.password}
          onClose={() => setLogin(null)}
        >
          {what === 'token' ? (
            <>The token is the device’s only secret, and is shown here alone.</>
          ) : (
            <>
              It connects with the user name <span className="mono">{login.username}</span> and the client id{' '}
              <span className="mono">{login.client_id}</span>. The password is shown here alone.
            </>
          )}
        </SecretModal>
      )}
    </>
  )
}
