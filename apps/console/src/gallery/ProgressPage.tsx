import { useState } from 'react'
import { Button, Spinner } from '../ui/Button.tsx'
import { ProgressBar, progressSizes } from '../ui/ProgressBar.tsx'
import { Skeleton, SkeletonLines } from '../ui/Skeleton.tsx'
import { Stepper, type Step } from '../ui/Stepper.tsx'
import { Section, Specimen } from './Specimen.tsx'

export function ProgressPage() {
  return (
    <>
      <Section title="Progress" about="6 in rows, 10 in panels, 15 alone. The tick is the alert threshold; hatching is what went over.">
        {progressSizes.map((size) => (
          <Specimen key={size} name={`${size} px`}>
            <div className="grid w-full gap-4 @sm/main:grid-cols-3">
              <ProgressBar size={size} value={0.42} threshold={0.8} label={`Used, ${size} px`} />
              <ProgressBar size={size} value={0.86} threshold={0.8} tone="warn" label={`Used, ${size} px, near`} />
              <ProgressBar size={size} value={1.16} threshold={0.8} tone="bad" label={`Used, ${size} px, over`} />
            </div>
          </Specimen>
        ))}
        <Specimen name="tones">
          <div className="grid w-full gap-4 @sm/main:grid-cols-3">
            <ProgressBar size={10} value={0.12} tone="idle" label="Resting" />
            <ProgressBar size={10} value={0.6} tone="info" label="Job" />
            <ProgressBar size={10} value={0} label="Nothing" />
          </div>
        </Specimen>
      </Section>
      <Section title="On its way" about="A skeleton has the size of what comes; a spinner stands only in what was pressed.">
        <Specimen name="skeleton">
          <div className="grid w-64 gap-2">
            <Skeleton className="h-4 w-24" />
            <SkeletonLines lines={3} />
          </div>
        </Specimen>
        <Specimen name="spinner">
          <Spinner />
          <Button loading>Working</Button>
        </Specimen>
      </Section>
      <Section title="Stepper" about="Whole up to where one is. Under each other where there is little room.">
        <Walk />
        <div className="mt-4 max-w-90">
          <Stepper
            label="Deployment"
            steps={[
              { id: 'pull', title: 'Image pulled', about: '214 MB in 48 s', state: 'done' },
              { id: 'start', title: 'Container started', about: 'Exit code 137', state: 'failed' },
              { id: 'check', title: 'Health check', state: 'todo' },
            ]}
          />
        </div>
      </Section>
    </>
  )
}

const walk: Pick<Step, 'id' | 'title' | 'about'>[] = [
  { id: 'scan', title: 'Serial number', about: '8931082017004430677' },
  { id: 'name', title: 'Name and tags', about: 'reefer-truck-0149' },
  { id: 'limit', title: 'Data limit', about: 'From its network group' },
  { id: 'activate', title: 'Activate' },
]

/** Those that are done lead back. */
function Walk() {
  const [now, setNow] = useState(2)
  const steps = walk.map((step, at): Step => {
    if (at < now) return { ...step, state: 'done', onOpen: () => setNow(at) }
    return { ...step, state: at === now ? 'current' : 'todo' }
  })
  return <Stepper label="Register an asset" steps={steps} />
}
