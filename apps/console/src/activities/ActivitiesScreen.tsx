import { SkeletonLines } from '../ui/Skeleton.tsx'

export default function ActivitiesScreen() {
  return <SkeletonLines />
}
