// Thrown where a step sees that the run is asked to stop: it goes on from there the next time, and has not failed.

export class StopWanted extends Error {
  override readonly name = "StopWanted";
}
