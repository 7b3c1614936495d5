import type { Container } from '@masthead/contract/devices/agent/application'
import { useFormContext, useWatch } from 'react-hook-form'
import { FormNumber, FormText } from '../../kit/FormField.tsx'
import { Checkbox } from '../../ui/Checkbox.tsx'

const first = { command: '', every_s: 30, retries: 3, start_s: 0 }

/** How the engine finds out whether the container does its work; nothing is tested unless it is switched on. */
export function HealthFields() {
  const { control, setValue } = useFormContext()
  const health = useWatch({ control, name: 'health' }) as Container['health']
  return (
    <fieldset className="grid gap-3">
      <Checkbox
        checked={health !== null}
        onChange={({ target }) => setValue('health', target.checked ? first : null, { shouldDirty: true })}
      >
        Test whether it is healthy
      </Checkbox>
      {health !== null && (
        <>
          <FormText
            name="health.command"
            label="Test command"
            hint="It runs in the container. The test has passed when it ends with 0"
            placeholder="wget -qO- http://127.0.0.1:8080/healthz"
            mono
            spellCheck={false}
          />
          <div className="grid gap-3 @sm:grid-cols-3">
            <FormNumber name="health.every_s" label="Every (s)" min={5} max={3600} />
            <FormNumber name="health.retries" label="Unhealthy after failures" min={1} max={20} />
            <FormNumber name="health.start_s" label="Time to start (s)" min={0} max={3600} />
          </div>
        </>
      )}
    </fieldset>
  )
}
