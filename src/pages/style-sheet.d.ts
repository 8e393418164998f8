// The type of a style sheet that is imported as text.
declare module "*.css" {
  const text: string;
  export default text;
}
