import { ExternalLink, MoreHorizontal, Plus, Power, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button, buttonSizes as sizes, IconButton, type ButtonColor } from '../ui/Button.tsx'
import { CopyButton } from '../ui/CopyButton.tsx'
import { CopyText } from '../ui/CopyText.tsx'
import { LinkButton } from '../ui/LinkButton.tsx'
import { RunButton, type RunAction } from '../ui/RunButton.tsx'
import { Section, Specimen } from './Specimen.tsx'

const colors: [ButtonColor, string][] = [
  ['primary', 'Add to pool'],
  ['primary-solid', 'Register asset'],
  ['secondary', 'Export'],
  ['success', 'Activate'],
  ['danger', 'Terminate SIM'],
  ['billing-blue', 'Pay by card'],
  ['billing-green', 'Add credits'],
  ['ghost', 'Columns'],
  ['danger-quiet', 'Remove'],
]

export function ButtonsPage() {
  return (
    <>
      <Section
        title="Buttons"
        about="One primary-solid on a screen. Billing colours only where money moves. A press that is on its way cannot be pressed again."
      >
        {colors.map(([color, words]) => (
          <Specimen key={color} name={color}>
            {sizes.map((size) => (
              <Button key={size} color={color} size={size}>
                {words}
              </Button>
            ))}
            <Button color={color} icon={Plus}>
              {words}
            </Button>
            <Button color={color} loading>
              {words}
            </Button>
            <Button color={color} disabled>
              {words}
            </Button>
          </Specimen>
        ))}
        <Specimen name="on-ink">
          <span className="rounded-lg bg-ink p-1.5">
            <Button color="on-ink" size="small" icon={Power}>
              Deactivate
            </Button>
          </span>
        </Specimen>
        <Specimen name="disabled, with why">
          <Button color="danger" disabled="The SIM is not active">
            Deactivate
          </Button>
        </Specimen>
        <Pressed />
      </Section>
      <Section title="Icon buttons" about="Named by their label, which a hover shows.">
        <Specimen name="sizes">
          {sizes.map((size) => (
            <IconButton key={size} label={`Actions, ${size}`} icon={MoreHorizontal} size={size} />
          ))}
        </Specimen>
        <Specimen name="colours and states">
          <IconButton label="Add" icon={Plus} color="secondary" />
          <IconButton label="Register" icon={Plus} color="primary-solid" />
          <IconButton label="Remove" icon={Trash2} color="danger-quiet" />
          <IconButton label="On its way" icon={Power} color="secondary" loading />
          <IconButton label="Not now" icon={Trash2} color="secondary" disabled="Only an owner may" />
        </Specimen>
      </Section>
      <Section title="Link buttons" about="For what leads somewhere: the browser opens it beside when asked to.">
        <Specimen name="links">
          <LinkButton href="#/buttons" color="secondary">
            All assets
          </LinkButton>
          <LinkButton href="#/buttons" color="primary-solid" icon={Plus}>
            Add credits
          </LinkButton>
          <LinkButton href="https://example.test/community" color="ghost" icon={ExternalLink}>
            Community
          </LinkButton>
          <LinkButton href="#/buttons" disabled="The device is offline" size="small">
            Open terminal
          </LinkButton>
        </Specimen>
      </Section>
      <Section title="Copy" about="Says “Copied to clipboard” for two seconds.">
        <Specimen name="buttons">
          <CopyButton text="8931082017004430677" label="Copy ICCID" />
          <CopyButton text="docker login registry.example.test" label="Copy the command" words="Copy" />
          <CopyButton text="quiet" label="Copy quietly" words="Says nothing" say={null} />
        </Specimen>
        <Specimen name="identifiers">
          <CopyText text="8931082017004430677" label="ICCID" />
          <CopyText text="89049032000000000000000000004471" label="EID" max={17} />
          <CopyText text={null} label="IMEI" />
        </Specimen>
      </Section>
      <Runnable />
    </>
  )
}

function Pressed() {
  const [count, setCount] = useState(0)
  const [loading, setLoading] = useState(false)
  return (
    <Specimen name="pressed">
      <Button loading={loading} onClick={() => setCount(count + 1)}>
        Count
      </Button>
      <output aria-label="Presses">{count}</output>
      <Button color="ghost" aria-pressed={loading} onClick={() => setLoading(!loading)}>
        Toggle loading
      </Button>
    </Specimen>
  )
}

function Runnable() {
  const [done, setDone] = useState('')
  const actions: RunAction[] = ['play', 'pause', 'restart']
  return (
    <Section title="Runnable" about="Something that runs can be started, paused and restarted; what cannot be done now says why.">
      <Specimen name="modem-agent">
        {actions.map((action) => (
          <RunButton key={action} action={action} of="modem-agent" onClick={() => setDone(action)} />
        ))}
        <output aria-label="Done">{done}</output>
      </Specimen>
      <Specimen name="states">
        <RunButton action="play" of="mqtt-bridge" onClick={() => setDone('')} disabled="It runs already" />
        <RunButton action="restart" of="mqtt-bridge" onClick={() => setDone('')} loading />
        <RunButton action="pause" of="mqtt-bridge" onClick={() => setDone('')} size="small" />
      </Specimen>
    </Section>
  )
}
