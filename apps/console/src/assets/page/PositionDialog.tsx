import type { Asset } from '@masthead/contract/assets/asset'
import { updateAsset } from '@masthead/contract/assets/operations'
import type { Position } from '@masthead/contract/assets/place-operations'
import { useState } from 'react'
import { Controller } from 'react-hook-form'
import { ConfirmCall } from '../../kit/ConfirmCall.tsx'
import { useError } from '../../kit/FormField.tsx'
import { FormModal } from '../../kit/FormModal.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { positionWords, readPosition } from './position.ts'

type Props = { asset: Asset; now: Position | undefined; asking: 'set' | 'remove'; onClose: () => void }

/** Sets or removes the position of an asset. */
export function PositionDialog({ asset, now, asking, onClose }: Props) {
  const params = { asset_id: asset.id }
  if (asking === 'set')
    return (
      <FormModal
        open
        onClose={onClose}
        title={`Position of ${asset.name}`}
        operation={updateAsset}
        values={now ? { position: { latitude: now.latitude, longitude: now.longitude } } : {}}
        input={(body) => ({ params, body })}
        submit="Set position"
      >
        <PositionField now={now} />
      </FormModal>
    )
  return (
    <ConfirmCall
      onClose={onClose}
      operation={updateAsset}
      input={{ params, body: { position: null } }}
      title={`Remove the position of ${asset.name}?`}
      confirm="Remove"
      color="danger"
      done="Position removed"
    >
      It is not on the map any more. Where it stood stays in its history for 30 days.
    </ConfirmCall>
  )
}

function PositionField({ now }: { now: Position | undefined }) {
  const [typed, setTyped] = useState(now ? positionWords(now) : '')
  const wrong = [useError('position'), useError('position.latitude'), useError('position.longitude')].find(Boolean)
  return (
    <Controller
      name="position"
      // So that nothing typed is no position.
      defaultValue={now ?? ''}
      render={({ field }) => (
        <TextField
          ref={field.ref}
          name={field.name}
          onBlur={field.onBlur}
          label="Latitude, longitude"
          hint="In degrees, as maps give them"
          placeholder="52.2297, 21.0122"
          autoComplete="off"
          value={typed}
          error={wrong}
          onChange={({ target }) => {
            setTyped(target.value)
            field.onChange(readPosition(target.value))
          }}
        />
      )}
    />
  )
}
