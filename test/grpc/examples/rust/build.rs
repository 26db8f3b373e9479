use prost::Message;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo:rerun-if-changed=schema/ems.binpb");
    let set = std::fs::read("schema/ems.binpb")?;
    let files = prost_types::FileDescriptorSet::decode(set.as_slice())?;
    prost_build::Config::new().include_file("ems.rs").compile_fds(files)?;
    Ok(())
}
